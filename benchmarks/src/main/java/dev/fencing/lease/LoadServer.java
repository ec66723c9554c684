package dev.fencing.lease;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Properties;

import redis.embedded.RedisServer;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis of a measurement.
 */
final class LoadServer implements AutoCloseable {

	private final RedisServer server;

	private final int port;

	private final LettuceConnectionFactory factory;

	LoadServer() throws IOException {
		this.port = freePort();
		this.server = RedisServer.newRedisServer()
			.bind("127.0.0.1")
			.port(this.port)
			.setting("save \"\"")
			.setting("appendonly no")
			.build();
		this.server.start();
		this.factory = new LettuceConnectionFactory("127.0.0.1", this.port);
		this.factory.afterPropertiesSet();
		this.factory.start();
	}

	int port() {
		return this.port;
	}

	/**
	 * Return how often scripts were called over the wire since the server was started.
	 */
	long scriptCalls() {
		return calls("cmdstat_evalsha") + calls("cmdstat_eval");
	}

	private long calls(String command) {
		try (RedisConnection connection = this.factory.getConnection()) {
			Properties stats = connection.serverCommands().info("commandstats");
			String line = (stats != null) ? stats.getProperty(command) : null;
			return (line != null) ? Long.parseLong(line.substring("calls=".length(), line.indexOf(','))) : 0;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() throws IOException {
		this.factory.destroy();
		this.server.stop();
	}

}
