package dev.fencing.sample.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * A PostgreSQL of the application's own: loopback only, its data in a temporary folder.
 */
final class PostgresServer implements AutoCloseable {

	private static final Duration STARTUP_WAIT = Duration.ofSeconds(60);

	private final EmbeddedPostgres postgres;

	private final TemporaryFolder data;

	private PostgresServer(EmbeddedPostgres postgres, TemporaryFolder data) {
		this.postgres = postgres;
		this.data = data;
	}

	static PostgresServer start() throws IOException {
		TemporaryFolder data = TemporaryFolder.create("fencing-sample-postgres-");
		try {
			// No shutdown hook of its own: it would stop the server under the running
			// application, whose own hook closes everything in order. The folder is ours
			EmbeddedPostgres postgres = EmbeddedPostgres.builder()
				.setDataDirectory(data.path())
				.setCleanDataDirectory(false)
				.setPGStartupWait(STARTUP_WAIT)
				.setServerConfig("unix_socket_directories", "")
				.setRegisterShutdownHook(false)
				.start();
			return new PostgresServer(postgres, data);
		}
		catch (IOException | RuntimeException ex) {
			try (data) {
				killLeftover(data.path());
			}
			throw ex;
		}
	}

	/**
	 * A server that did not answer in time, or whose stop was interrupted, is nobody's
	 * child. Its process id is in its folder as long as it runs.
	 */
	private static void killLeftover(Path data) throws IOException {
		Path pidFile = data.resolve("postmaster.pid");
		// An interrupted thread could not read
		boolean interrupted = Thread.interrupted();
		try {
			if (Files.exists(pidFile)) {
				long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).trim());
				ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	int port() {
		return this.postgres.getPort();
	}

	Path data() {
		return this.data.path();
	}

	JdbcConnectionDetails connectionDetails() {
		String url = this.postgres.getJdbcUrl("postgres", "postgres");
		return new JdbcConnectionDetails() {

			@Override
			public String getUsername() {
				return "postgres";
			}

			@Override
			public String getPassword() {
				return "";
			}

			@Override
			public String getJdbcUrl() {
				return url;
			}

		};
	}

	@Override
	public void close() throws IOException {
		try (this.data) {
			this.postgres.close();
			killLeftover(this.data.path());
		}
	}

}
