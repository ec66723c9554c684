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
			// application, whose own hook closes everything in order
			EmbeddedPostgres postgres = EmbeddedPostgres.builder()
				.setDataDirectory(data.path())
				.setPGStartupWait(STARTUP_WAIT)
				.setServerConfig("unix_socket_directories", "")
				.setRegisterShutdownHook(false)
				.start();
			return new PostgresServer(postgres, data);
		}
		catch (IOException | RuntimeException ex) {
			killLeftover(data.path());
			data.close();
			throw ex;
		}
	}

	/**
	 * A server that is up but did not answer in time is nobody's child: its process id is
	 * in its folder.
	 */
	private static void killLeftover(Path data) throws IOException {
		Path pidFile = data.resolve("postmaster.pid");
		if (Files.exists(pidFile)) {
			long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).trim());
			ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
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
		try {
			this.postgres.close();
		}
		finally {
			this.data.close();
		}
	}

}
