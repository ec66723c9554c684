package dev.fencing.sample.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;

import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/**
 * A Redis of the application's own: loopback only, nothing on disk.
 */
final class RedisProcess implements AutoCloseable {

	private static final String HOST = "127.0.0.1";

	private final RedisServer server;

	private final TemporaryFolder folder;

	private final int port;

	private RedisProcess(RedisServer server, TemporaryFolder folder, int port) {
		this.server = server;
		this.folder = folder;
		this.port = port;
	}

	static RedisProcess start() throws IOException {
		TemporaryFolder folder = TemporaryFolder.create("fencing-sample-redis-");
		try {
			int port = freePort();
			File executable = ExecutableProvider.newJarResourceProvider(folder.path().toFile()).get();
			// Not by the builder, whose configuration file stays until the process ends
			RedisServer server = new RedisServer(port, List.of(executable.getAbsolutePath(), "--bind", HOST, "--port",
					Integer.toString(port), "--save", "", "--appendonly", "no"), false);
			server.start();
			return new RedisProcess(server, folder, port);
		}
		catch (IOException | RuntimeException ex) {
			folder.close();
			throw ex;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	int port() {
		return this.port;
	}

	Path folder() {
		return this.folder.path();
	}

	DataRedisConnectionDetails connectionDetails() {
		Standalone standalone = Standalone.of(HOST, this.port);
		return new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return standalone;
			}

		};
	}

	@Override
	public void close() throws IOException {
		try {
			this.server.stop();
		}
		finally {
			this.folder.close();
		}
	}

}
