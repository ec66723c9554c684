package dev.fencing.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.sentinel.api.sync.RedisSentinelCommands;

import org.springframework.util.FileSystemUtils;

import dev.fencing.testsupport.TcpProxy.Direction;

import static org.awaitility.Awaitility.await;

/**
 * A real primary, its replica and the Sentinel that watches them. The Sentinel and those
 * whom it sends to the primary reach it over one network, the replica over another one;
 * both can be broken.
 */
public final class RedisSentinelTestServers implements AutoCloseable {

	/**
	 * What the Sentinel calls the primary.
	 */
	public static final String NAME = "leases";

	private final Deque<Runnable> closers = new ArrayDeque<>();

	private final RedisTestServer primary;

	private final RedisTestServer replica;

	private final TcpProxy access;

	private final TcpProxy replication;

	private final int sentinelPort;

	private final RedisSentinelCommands<String, String> sentinel;

	private RedisSentinelTestServers() throws IOException {
		this.primary = RedisTestServer.started();
		this.closers.push(this.primary::close);
		this.access = TcpProxy.to(this.primary.port());
		this.closers.push(this.access::close);
		this.replication = TcpProxy.to(this.primary.port());
		this.closers.push(this.replication::close);
		this.replica = RedisTestServer.replicaOf(this.replication.port());
		this.closers.push(this.replica::close);
		RedisTestServer.awaitReplica(commands(this.primary));
		this.sentinelPort = RedisTestServer.freePort();
		startSentinel();
		RedisClient client = client(this.sentinelPort);
		this.sentinel = await().ignoreExceptions()
			.pollInterval(Duration.ofMillis(20))
			.until(() -> client.connectSentinel().sync(), (connected) -> true);
		// It chooses only a replica that it has heard of
		await().pollInterval(Duration.ofMillis(20))
			.until(() -> this.sentinel.slaves(NAME)
				.stream()
				.anyMatch((known) -> "ok".equals(known.get("master-link-status"))));
	}

	/**
	 * Start them.
	 * @return the running servers, to be closed by the caller
	 */
	public static RedisSentinelTestServers started() {
		try {
			return new RedisSentinelTestServers();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the port of the Sentinel, on 127.0.0.1.
	 * @return the port
	 */
	public int sentinelPort() {
		return this.sentinelPort;
	}

	/**
	 * Return the server that is the primary at first.
	 * @return the server
	 */
	public RedisTestServer primary() {
		return this.primary;
	}

	/**
	 * Return the server that is the replica at first.
	 * @return the server
	 */
	public RedisTestServer replica() {
		return this.replica;
	}

	/**
	 * Return the commands of a connection that goes to a server directly.
	 * @param server one of the servers
	 * @return the commands
	 */
	public RedisCommands<String, String> commands(RedisTestServer server) {
		return client(server.port()).connect().sync();
	}

	/**
	 * Keep from the replica what is written from now on.
	 */
	public void letReplicaLag() {
		this.replication.hold(Direction.REPLIES);
	}

	/**
	 * Let what is written come to the replica late from now on.
	 * @param roundTrip how late, with the answer
	 */
	public void letReplicaBeSlow(Duration roundTrip) {
		this.replication.latency(roundTrip);
	}

	/**
	 * Stop the primary and make the replica the primary, as it is.
	 */
	public void failOver() {
		this.replication.cut();
		this.primary.stop();
		promoteReplica();
	}

	/**
	 * Make the replica the primary, while the former one runs on: only those who do not
	 * ask the Sentinel reach it any more.
	 */
	public void partition() {
		this.replication.cut();
		this.access.cut();
		promoteReplica();
	}

	private void promoteReplica() {
		this.sentinel.failover(NAME);
		await().pollInterval(Duration.ofMillis(20))
			.until(() -> ((InetSocketAddress) this.sentinel.getMasterAddrByName(NAME)).getPort() == this.replica
				.port());
	}

	private void startSentinel() throws IOException {
		Path directory = Files.createTempDirectory("sentinel");
		this.closers.push(() -> delete(directory));
		Path configuration = Files.write(directory.resolve("sentinel.conf"),
				List.of("port " + this.sentinelPort, "bind 127.0.0.1", "dir " + directory,
						"sentinel monitor %s 127.0.0.1 %d 1".formatted(NAME, port()),
						"sentinel down-after-milliseconds %s 500".formatted(NAME),
						// So long it leaves the replica's own way to the primary alone
						"sentinel failover-timeout %s 60000".formatted(NAME)));
		File executable = RedisTestServer.executable();
		Process process = new ProcessBuilder(executable.getPath(), configuration.toString(), "--sentinel")
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		Thread atExit = new Thread(process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(atExit);
		this.closers.push(() -> {
			process.destroyForcibly().onExit().join();
			Runtime.getRuntime().removeShutdownHook(atExit);
		});
	}

	private int port() {
		return this.access.port();
	}

	private RedisClient client(int port) {
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		this.closers.push(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
		return client;
	}

	private static void delete(Path directory) {
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		while (!this.closers.isEmpty()) {
			this.closers.pop().run();
		}
	}

}
