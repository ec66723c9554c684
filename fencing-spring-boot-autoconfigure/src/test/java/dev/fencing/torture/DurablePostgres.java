package dev.fencing.torture;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A PostgreSQL that writes what it has committed to the disk, with the tables of the
 * accounts, and a connection that looks on.
 */
final class DurablePostgres implements AutoCloseable {

	static final String USER = "postgres";

	private final EmbeddedPostgres server;

	private final SingleConnectionDataSource connection;

	private final JdbcTemplate jdbc;

	DurablePostgres() {
		try {
			this.server = EmbeddedPostgres.builder()
				.setServerConfig("listen_addresses", "127.0.0.1")
				.setServerConfig("fsync", "on")
				.setServerConfig("synchronous_commit", "on")
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.connection = new SingleConnectionDataSource(url(this.server.getPort()), USER, USER, true);
		this.jdbc = new JdbcTemplate(this.connection);
		assertThat(this.jdbc.queryForObject("show fsync", String.class)).isEqualTo("on");
		assertThat(this.jdbc.queryForObject("show synchronous_commit", String.class)).isEqualTo("on");
	}

	/**
	 * Return the URL of the database behind a port.
	 */
	static String url(int port) {
		return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
	}

	int port() {
		return this.server.getPort();
	}

	JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/**
	 * Return how many sessions wait for a row that another one has locked.
	 */
	int blocked() {
		Integer count = this.jdbc.queryForObject("""
				select count(*) from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'""", Integer.class);
		return (count != null) ? count : 0;
	}

	/**
	 * End the sessions of a worker that have a transaction open.
	 * @return whether there was one
	 */
	boolean terminate(String worker) {
		return !this.jdbc.queryForList("""
				select pg_terminate_backend(pid) from pg_stat_activity
				where application_name = ? and xact_start is not null""", Boolean.class, worker).isEmpty();
	}

	@Override
	public void close() {
		this.connection.destroy();
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
