package dev.fencing.benchmark.server;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What sessions ask a PostgreSQL, as its own log tells it. Only the sessions of one URL
 * are logged, so that nothing else is slower for it.
 *
 * @since 0.1.0
 */
public final class StatementLog implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(30);

	private final String name = "log-" + UUID.randomUUID();

	private final Connection reader;

	private final Connection marker;

	private final String file;

	private long read;

	/**
	 * Begin to log.
	 * @throws SQLException if the server cannot be reached
	 */
	public StatementLog() throws SQLException {
		this.reader = connect(BenchServers.postgresUrl());
		this.marker = connect(url());
		this.file = ask("select pg_current_logfile('jsonlog')", String.class);
		this.read = ask("select size from pg_stat_file(pg_current_logfile('jsonlog'))", Long.class);
	}

	private static Connection connect(String url) throws SQLException {
		return DriverManager.getConnection(url, "postgres", "postgres");
	}

	/**
	 * Return the JDBC URL for the sessions that are logged.
	 * @return the URL; never null
	 */
	public String url() {
		return BenchServers.postgresUrl() + "?options=-c%20log_statement=all&ApplicationName=" + this.name;
	}

	/**
	 * Return what has been asked since the last call.
	 * @return the statements and commits; never null
	 * @throws SQLException if the server cannot be reached
	 */
	public Asked next() throws SQLException {
		String mark = UUID.randomUUID().toString();
		try (Statement statement = this.marker.createStatement()) {
			statement.execute("select '" + mark + "'");
		}
		List<String> statements = new ArrayList<>();
		Set<Integer> inTransaction = new HashSet<>();
		int commits = 0;
		for (String line : linesBefore(mark)) {
			JsonNode entry = JSON.readTree(line);
			String sql = sql(entry.path("message").asString());
			if (!entry.path("application_name").asString().equals(this.name) || sql.isEmpty()) {
				continue;
			}
			int session = entry.path("pid").asInt();
			switch (sql.toLowerCase(Locale.ROOT)) {
				case "begin" -> inTransaction.add(session);
				case "commit" -> {
					inTransaction.remove(session);
					commits++;
				}
				case "rollback" -> inTransaction.remove(session);
				default -> {
					statements.add(sql);
					// Each is a transaction of its own
					commits += inTransaction.contains(session) ? 0 : 1;
				}
			}
		}
		return new Asked(List.copyOf(statements), commits);
	}

	private static String sql(String message) {
		boolean asked = message.startsWith("statement: ") || message.startsWith("execute ");
		return asked ? message.substring(message.indexOf(": ") + 2) : "";
	}

	/**
	 * Another process of the server writes the log.
	 */
	private List<String> linesBefore(String mark) throws SQLException {
		long end = System.nanoTime() + LONGEST_WAIT;
		while (System.nanoTime() < end) {
			String text = new String(unread(), StandardCharsets.UTF_8);
			int marked = text.indexOf(mark);
			int lineEnd = (marked >= 0) ? text.indexOf('\n', marked) : -1;
			if (lineEnd >= 0) {
				this.read += text.substring(0, lineEnd + 1).getBytes(StandardCharsets.UTF_8).length;
				return text.substring(0, text.lastIndexOf('\n', marked) + 1).lines().toList();
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		throw new IllegalStateException("The server's log does not show what it was asked");
	}

	private byte[] unread() throws SQLException {
		try (PreparedStatement statement = this.reader.prepareStatement("select pg_read_binary_file(?, ?, ?)")) {
			statement.setString(1, this.file);
			statement.setLong(2, this.read);
			statement.setLong(3, 1 << 26);
			try (ResultSet result = statement.executeQuery()) {
				result.next();
				return result.getBytes(1);
			}
		}
	}

	private <T> T ask(String sql, Class<T> type) throws SQLException {
		try (Statement statement = this.reader.createStatement(); ResultSet result = statement.executeQuery(sql)) {
			result.next();
			return result.getObject(1, type);
		}
	}

	@Override
	public void close() throws SQLException {
		this.marker.close();
		this.reader.close();
	}

	/**
	 * What was asked.
	 *
	 * @param statements the statements without BEGIN, COMMIT and ROLLBACK; never null
	 * @param commits how many transactions were committed, those included that are one
	 * statement alone
	 * @since 0.1.0
	 */
	public record Asked(List<String> statements, int commits) {
	}

}
