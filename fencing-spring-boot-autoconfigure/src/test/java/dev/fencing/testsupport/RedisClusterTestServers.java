package dev.fencing.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;

import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A real cluster of three primaries without replicas, on free ports of the loopback
 * interface. When one of them is stopped, the others go on with their slots.
 */
public final class RedisClusterTestServers implements AutoCloseable {

	private static final int SIZE = 3;

	private static final int SLOTS_EACH = (SlotHash.SLOT_COUNT + SIZE - 1) / SIZE;

	private final List<RedisTestServer> servers = new ArrayList<>();

	private final List<RedisCommands<String, String>> connections = new ArrayList<>();

	private final RedisClient client = RedisClient.create();

	private final Path folder;

	private RedisClusterTestServers(Path folder) {
		this.folder = folder;
	}

	/**
	 * Start the servers and make a cluster of them.
	 * @return the cluster, which serves all slots
	 */
	public static RedisClusterTestServers started() {
		RedisClusterTestServers cluster = null;
		try {
			cluster = new RedisClusterTestServers(Files.createTempDirectory("fencing-cluster"));
			cluster.form();
			return cluster;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	private void form() {
		for (int i = 0; i < SIZE; i++) {
			// One whose port for the cluster, greater by 10000, is not free, does not
			// start
			RedisTestServer server = RedisTestServer.started("cluster-enabled yes",
					"cluster-config-file " + this.folder.resolve("nodes-%d.conf".formatted(i)),
					"cluster-announce-ip 127.0.0.1", "cluster-node-timeout 3000", "cluster-require-full-coverage no");
			this.servers.add(server);
			RedisCommands<String, String> connection = this.client.connect(RedisURI.create("127.0.0.1", server.port()))
				.sync();
			this.connections.add(connection);
			connection.clusterSetConfigEpoch(i + 1L);
			connection.clusterAddSlots(
					IntStream.range(i * SLOTS_EACH, Math.min((i + 1) * SLOTS_EACH, SlotHash.SLOT_COUNT)).toArray());
			this.connections.get(0).clusterMeet("127.0.0.1", server.port());
		}
		await().atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.connections.stream()
				.map(RedisCommands::clusterInfo)
				.allMatch((info) -> info.contains("cluster_state:ok")
						&& info.contains("cluster_slots_ok:" + SlotHash.SLOT_COUNT)));
	}

	/**
	 * Return where to connect to.
	 * @return the addresses of all servers
	 */
	public List<String> nodes() {
		return this.servers.stream().map((server) -> "127.0.0.1:" + server.port()).toList();
	}

	/**
	 * Return the number of the server that has a key.
	 * @param key the key
	 * @return from 0 to 2
	 */
	public int indexOf(String key) {
		return SlotHash.getSlot(key) / SLOTS_EACH;
	}

	/**
	 * Return a server.
	 * @param index its number
	 * @return the server
	 */
	public RedisTestServer server(int index) {
		return this.servers.get(index);
	}

	/**
	 * Return the commands of a connection to a server.
	 * @param index the number of the server
	 * @return its commands
	 */
	public RedisCommands<String, String> raw(int index) {
		return this.connections.get(index);
	}

	@Override
	public void close() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.servers.forEach(RedisTestServer::close);
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
