package dev.fencing.neighbour;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Empty databases, each caller's own: on one embedded PostgreSQL for all tests of a JVM,
 * or in memory.
 */
public final class TestDatabases {

	private static final AtomicInteger number = new AtomicInteger();

	private TestDatabases() {
	}

	/**
	 * Create a database on PostgreSQL.
	 * @return its JDBC URL, with the user
	 */
	public static String postgres() {
		String name = "neighbour_" + number.incrementAndGet();
		new JdbcTemplate(Server.INSTANCE.getPostgresDatabase()).execute("create database " + name);
		return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres&password=postgres".formatted(Server.INSTANCE.getPort(),
				name);
	}

	/**
	 * Create a database of H2.
	 * @return its JDBC URL
	 */
	public static String h2() {
		return "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1;USER=sa".formatted(UUID.randomUUID());
	}

	/**
	 * Starts with the first use and stops with the JVM.
	 */
	private static final class Server {

		static final EmbeddedPostgres INSTANCE = start();

		private static EmbeddedPostgres start() {
			try {
				EmbeddedPostgres server = EmbeddedPostgres.builder()
					.setServerConfig("listen_addresses", "127.0.0.1")
					.start();
				Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
				return server;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static void close(EmbeddedPostgres server) {
			try {
				server.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
