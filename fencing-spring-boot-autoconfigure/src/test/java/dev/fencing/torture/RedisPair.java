package dev.fencing.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import org.awaitility.core.ConditionFactory;

import org.springframework.util.FileSystemUtils;

import dev.fencing.testsupport.RedisTestServer;
import dev.fencing.testsupport.TcpProxy;

import static org.awaitility.Awaitility.await;

/**
 * A Redis that keeps on disk what it is told to keep, and a replica of it behind a link
 * that can be held back. They may change roles.
 */
final class RedisPair implements AutoCloseable {

	private final List<Path> folders = new ArrayList<>();

	private final RedisClient client = RedisClient.create();

	private Node primary = node();

	private Node replica = node();

	private TcpProxy link;

	RedisPair() {
		this.link = TcpProxy.to(this.primary.port());
		try {
			this.replica.redis().replicaof("127.0.0.1", this.link.port());
			awaitReplica();
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
	}

	private Node node() {
		try {
			Path folder = Files.createTempDirectory("fencing-redis");
			this.folders.add(folder);
			// A link that is held back is to be kept for as long as a test lasts
			RedisTestServer server = RedisTestServer.started("dir " + folder, "repl-timeout 3600");
			return new Node(server, this.client.connect(RedisURI.create("127.0.0.1", server.port())).sync());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void awaitReplica() {
		Node node = this.replica;
		eventually().until(() -> node.redis().info("replication").contains("master_link_status:up"));
	}

	int port() {
		return this.primary.port();
	}

	RedisCommands<String, String> redis() {
		return this.primary.redis();
	}

	/**
	 * Keep what is there now for a restart.
	 */
	void save() {
		// It does not while it sends its data to the replica
		eventually().ignoreExceptions().until(() -> redis().save().equals("OK"));
	}

	/**
	 * Kill the primary and start it again, with what it had when it was told to save.
	 */
	void restartWithOlderData() {
		RedisCommands<String, String> redis = redis();
		ProcessHandle process = ProcessHandle.of(Long.parseLong(valueOf("process_id", redis.info("server"))))
			.orElseThrow();
		process.destroyForcibly();
		process.onExit().join();
		this.primary.server().stop();
		this.primary.server().start();
		eventually().ignoreExceptions().until(() -> {
			redis.ping();
			return true;
		});
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(5));
	}

	private static String valueOf(String name, String info) {
		return info.lines()
			.filter((line) -> line.startsWith(name + ":"))
			.findFirst()
			.orElseThrow()
			.substring(name.length() + 1);
	}

	/**
	 * Have the replica miss all that is written from now on.
	 */
	void holdReplica() {
		this.link.hold(TcpProxy.Direction.REPLIES);
	}

	/**
	 * Make the replica the primary. The old one still takes writes.
	 */
	void promoteReplica() {
		this.replica.redis().replicaofNoOne();
		Node promoted = this.replica;
		this.replica = this.primary;
		this.primary = promoted;
	}

	/**
	 * Make the old primary a replica of the new one: what it has written meanwhile is
	 * lost.
	 */
	void demote() {
		this.link.close();
		this.link = TcpProxy.to(this.primary.port());
		this.replica.redis().replicaof("127.0.0.1", this.link.port());
		awaitReplica();
	}

	/**
	 * Fill the primary, which evicts all it has.
	 * @return makes room in the same server, which may have changed its role by then
	 */
	Runnable evictAll() {
		RedisCommands<String, String> full = redis();
		full.configSet("maxmemory-policy", "allkeys-lru");
		full.configSet("maxmemory", "1");
		eventually().until(() -> full.dbsize() == 0);
		return () -> {
			full.configSet("maxmemory", "0");
			full.configSet("maxmemory-policy", "noeviction");
		};
	}

	@Override
	public void close() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.link.close();
		this.primary.server().close();
		this.replica.server().close();
		this.folders.forEach((folder) -> FileSystemUtils.deleteRecursively(folder.toFile()));
	}

	private record Node(RedisTestServer server, RedisCommands<String, String> redis) {

		int port() {
			return this.server.port();
		}

	}

}
