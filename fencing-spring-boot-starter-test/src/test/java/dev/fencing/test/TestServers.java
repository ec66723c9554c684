package dev.fencing.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import redis.embedded.RedisServer;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Real servers, on free ports of the loopback interface. Each starts with its first use
 * and stops with the JVM.
 */
final class TestServers {

	private static final AtomicInteger databases = new AtomicInteger();

	private TestServers() {
	}

	/**
	 * Create an empty database.
	 * @return its JDBC URL, for the user and password {@code postgres}
	 */
	static String createDatabase() {
		String name = "test_" + databases.incrementAndGet();
		EmbeddedPostgres server = Postgres.SERVER;
		new JdbcTemplate(server.getPostgresDatabase()).execute("create database " + name);
		return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/" + name;
	}

	static int redisPort() {
		return Redis.PORT;
	}

	private static void stopWithTheJvm(AutoCloseable server) {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try {
				server.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}));
	}

	private static final class Postgres {

		private static final EmbeddedPostgres SERVER = start();

		private static EmbeddedPostgres start() {
			try {
				EmbeddedPostgres server = EmbeddedPostgres.builder()
					.setServerConfig("listen_addresses", "127.0.0.1")
					.start();
				stopWithTheJvm(server);
				return server;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	private static final class Redis {

		private static final int PORT = start();

		private static int start() {
			try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
				int port = socket.getLocalPort();
				socket.close();
				RedisServer server = RedisServer.newRedisServer()
					.port(port)
					.bind("127.0.0.1")
					.setting("save \"\"")
					.build();
				server.start();
				stopWithTheJvm(server::stop);
				return port;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
