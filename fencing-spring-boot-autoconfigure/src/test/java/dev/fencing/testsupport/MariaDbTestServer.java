package dev.fencing.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.FileSystemUtils;

/**
 * One real MariaDB for all tests of a JVM, from the programs that are installed on the
 * machine; each caller gets a database of its own. It shares nothing with a server that
 * the machine runs: not its port, socket, files or settings. Where MariaDB is not
 * installed, the calling test is skipped, but in CI it fails.
 */
public final class MariaDbTestServer {

	/**
	 * User and password of every database.
	 */
	public static final String USER = "fencing";

	private static final String MISSING = "MariaDB is not installed (on Debian: the package mariadb-server)";

	private static final int START_ATTEMPTS = 10;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final AtomicInteger databases = new AtomicInteger();

	private MariaDbTestServer() {
	}

	/**
	 * Return whether there is a server that could be started.
	 */
	public static boolean isInstalled() {
		return program("mariadbd") != null && program("mariadb-install-db") != null;
	}

	/**
	 * Create an empty database, or abort the test where there is no server.
	 * @return its JDBC URL, for user and password {@value #USER}
	 */
	public static String createDatabase() {
		requireInstalled();
		String name = "test_" + databases.incrementAndGet();
		new JdbcTemplate(new DriverManagerDataSource(Server.INSTANCE.url(""), USER, USER))
			.execute("create database " + name);
		return Server.INSTANCE.url(name);
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
		pool.setUsername(USER);
		pool.setPassword(USER);
		pool.setMaximumPoolSize(size);
		return pool;
	}

	private static void requireInstalled() {
		if (System.getenv("CI") != null && !isInstalled()) {
			throw new IllegalStateException(MISSING + ": in CI no test is skipped");
		}
		Assumptions.assumeTrue(isInstalled(), MISSING);
	}

	private static @Nullable Path program(String name) {
		return Stream
			.concat(Stream.of("/usr/sbin", "/usr/bin"),
					Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)))
			.filter((folder) -> !folder.isEmpty())
			.map((folder) -> Path.of(folder, name))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Starts with the first use and stops with the JVM.
	 */
	private static final class Server {

		static final Server INSTANCE = new Server();

		private final Path folder;

		private final Path log;

		private int port;

		private volatile @Nullable Process running;

		private Server() {
			try {
				this.folder = Files.createTempDirectory("fencing-mariadb");
				this.log = this.folder.resolve("log");
				Runtime.getRuntime().addShutdownHook(new Thread(this::close));
				install();
				start();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		String url(String database) {
			return "jdbc:mariadb://127.0.0.1:" + this.port + "/" + database;
		}

		private void install() throws IOException {
			Process install = run("mariadb-install-db", "--auth-root-authentication-method=normal", "--skip-test-db");
			if (!ends(install) || install.exitValue() != 0) {
				kill(install);
				throw failure("mariadb-install-db failed");
			}
		}

		private void start() throws IOException {
			Path users = Files.writeString(this.folder.resolve("users.sql"),
					"create user if not exists '%1$s'@'%%' identified by '%1$s';\ngrant all on *.* to '%1$s'@'%%';\n"
						.formatted(USER));
			for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
				// Another process may take the free port before the server does
				this.port = freePort();
				Process server = run("mariadbd", "--bind-address=127.0.0.1", "--port=" + this.port,
						"--socket=" + this.folder.resolve("socket"), "--pid-file=" + this.folder.resolve("pid"),
						"--init-file=" + users, "--character-set-server=utf8mb4", "--skip-name-resolve",
						"--max-connections=300", "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=16M",
						"--innodb-flush-log-at-trx-commit=0", "--loose-innodb-snapshot-isolation=OFF",
						"--key-buffer-size=1M", "--aria-pagecache-buffer-size=1M");
				this.running = server;
				if (isUp(server)) {
					return;
				}
				kill(server);
			}
			throw failure("mariadbd does not start");
		}

		private boolean isUp(Process server) {
			try {
				Awaitility.await().atMost(PATIENCE).until(() -> !server.isAlive() || answers());
			}
			catch (ConditionTimeoutException ex) {
				return false;
			}
			return server.isAlive();
		}

		private boolean answers() {
			try {
				DriverManager.getConnection(url(""), USER, USER).close();
				return true;
			}
			catch (SQLException ex) {
				return false;
			}
		}

		private Process run(String program, String... options) throws IOException {
			List<String> command = new ArrayList<>();
			command.add(String.valueOf(program(program)));
			// Has to come first
			command.add("--no-defaults");
			if ("root".equals(System.getProperty("user.name"))) {
				command.add("--user=root");
			}
			command.add("--datadir=" + this.folder.resolve("data"));
			command.add("--tmpdir=" + this.folder);
			command.addAll(List.of(options));
			return new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.log.toFile()))
				.start();
		}

		private IOException failure(String message) throws IOException {
			return new IOException(message + ":\n" + Files.readString(this.log));
		}

		private void close() {
			Process server = this.running;
			if (server != null) {
				kill(server);
			}
			try {
				FileSystemUtils.deleteRecursively(this.folder);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		// Nothing of it is kept, so that there is nothing to shut down in order
		private static void kill(Process server) {
			server.destroyForcibly();
			ends(server);
		}

		private static boolean ends(Process process) {
			try {
				return process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}

		private static int freePort() throws IOException {
			try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
		}

	}

}
