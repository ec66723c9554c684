package dev.fencing.benchmark.server;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A PostgreSQL of a measurement, on loopback and a free port, with fsync on: an embedded
 * server has it off by itself, and a commit then costs next to nothing.
 *
 * @since 0.1.0
 */
public final class PostgresBenchServer implements AutoCloseable {

	private final EmbeddedPostgres server;

	/**
	 * Start a server.
	 */
	public PostgresBenchServer() {
		try {
			this.server = EmbeddedPostgres.builder()
				.setServerConfig("listen_addresses", "127.0.0.1")
				.setServerConfig("max_connections", "200")
				.setServerConfig("fsync", "on")
				.setServerConfig("synchronous_commit", "on")
				.setServerConfig("full_page_writes", "on")
				// For sessions that ask for it: see StatementLog
				.setServerConfig("logging_collector", "on")
				.setServerConfig("log_destination", "jsonlog")
				.setServerConfig("log_rotation_size", "0")
				.start();
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
		return this.server.getPort();
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
