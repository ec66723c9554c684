package dev.fencing.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * One embedded PostgreSQL for all tests of a JVM; each caller gets a database of its own.
 */
public final class PostgresTestServer {

	private static final AtomicInteger databases = new AtomicInteger();

	private PostgresTestServer() {
	}

	/**
	 * Create an empty database.
	 * @return its JDBC URL, for the user and password {@code postgres}
	 */
	public static String createDatabase() {
		String name = "test_" + databases.incrementAndGet();
		DataSource admin = Server.INSTANCE.getPostgresDatabase();
		new JdbcTemplate(admin).execute("create database " + name);
		return "jdbc:postgresql://127.0.0.1:" + Server.INSTANCE.getPort() + "/" + name;
	}

	/**
	 * Open a pool.
	 * @param url the JDBC URL
	 * @param size how many connections it may have
	 * @return the pool, to be closed by the caller
	 */
	public static HikariDataSource pool(String url, int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername("postgres");
		pool.setPassword("postgres");
		pool.setMaximumPoolSize(size);
		return pool;
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
					.setServerConfig("max_connections", "300")
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
