package dev.fencing.benchmark.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/**
 * A Redis of a measurement, on loopback and a free port, which writes nothing to disk. It
 * is the embedded one, or the one that the system property {@code bench.redis.executable}
 * names.
 *
 * @since 0.1.0
 */
public final class RedisBenchServer implements AutoCloseable {

	private static final String EXECUTABLE = "bench.redis.executable";

	private final RedisServer server;

	private final int port;

	/**
	 * Start a server.
	 */
	public RedisBenchServer() {
		try {
			this.port = freePort();
			RedisServerBuilder builder = RedisServer.newRedisServer()
				.bind("127.0.0.1")
				.port(this.port)
				.setting("save \"\"")
				.setting("appendonly no")
				.onShutdownForceStop(true);
			String executable = System.getProperty(EXECUTABLE, "");
			if (!executable.isEmpty()) {
				builder.executableProvider(() -> new File(executable));
			}
			this.server = builder.build();
			this.server.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the port that it listens on.
	 * @return the port
	 */
	public int port() {
		return this.port;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() {
		try {
			this.server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
