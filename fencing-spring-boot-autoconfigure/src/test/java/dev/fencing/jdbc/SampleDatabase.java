package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.init.ScriptUtils;

import dev.fencing.testsupport.TestDatabase;

/**
 * The tables that the sample statements write, and what a statement does to them.
 */
final class SampleDatabase implements AutoCloseable {

	/**
	 * Columns that are left out of every comparison: the one is numbered by the database,
	 * whose sequences no rollback resets, the other holds its clock.
	 */
	private static final Set<String> GENERATED = Set.of("serial_no", "touched_at");

	private static final String TOKEN = "fencing_token";

	private final HikariDataSource pool;

	private final Connection connection;

	private final List<String> tables = new ArrayList<>();

	private final Map<String, List<Row>> initial;

	SampleDatabase(TestDatabase database) throws SQLException {
		this.pool = database.pool(database.createDatabase(), 1);
		this.connection = this.pool.getConnection();
		ScriptUtils.executeSqlScript(this.connection, SampleStatement.setUp(database));
		this.connection.setAutoCommit(false);
		findTables();
		this.initial = contents();
		this.connection.rollback();
	}

	private void findTables() throws SQLException {
		DatabaseMetaData metaData = this.connection.getMetaData();
		String quote = metaData.getIdentifierQuoteString();
		String catalog = this.connection.getCatalog();
		try (ResultSet columns = metaData.getColumns(catalog, null, null, "%")) {
			while (columns.next()) {
				if (columns.getString("COLUMN_NAME").equalsIgnoreCase(TOKEN)) {
					String schema = columns.getString("TABLE_SCHEM");
					String table = quote + columns.getString("TABLE_NAME") + quote;
					this.tables.add((schema != null) ? quote + schema + quote + "." + table : table);
				}
			}
		}
		this.connection.rollback();
	}

	/**
	 * Return the rows of all tables as they are before each statement.
	 */
	Map<String, List<Row>> initial() {
		return this.initial;
	}

	/**
	 * Return the rows of all tables as they are now.
	 */
	Map<String, List<Row>> contents() throws SQLException {
		Map<String, List<Row>> contents = new TreeMap<>();
		try (Statement statement = this.connection.createStatement()) {
			for (String table : this.tables) {
				try (ResultSet rows = statement.executeQuery("select * from " + table)) {
					contents.put(table, read(rows));
				}
			}
		}
		return contents;
	}

	/**
	 * Execute a statement in a transaction that is rolled back.
	 */
	Effect effect(String sql, @Nullable Object[] arguments) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			for (int i = 0; i < arguments.length; i++) {
				statement.setObject(i + 1, value(arguments[i]));
			}
			List<Row> returned = List.of();
			int count;
			if (statement.execute()) {
				returned = read(statement.getResultSet());
				count = returned.size();
			}
			else {
				count = statement.getUpdateCount();
			}
			return new Effect(count, returned, contents());
		}
		finally {
			this.connection.rollback();
		}
	}

	private @Nullable Object value(@Nullable Object argument) throws SQLException {
		if (argument instanceof Object[] elements) {
			boolean numbers = Arrays.stream(elements).allMatch(Integer.class::isInstance);
			return this.connection.createArrayOf(numbers ? "integer" : "varchar", elements);
		}
		return argument;
	}

	private static List<Row> read(ResultSet rows) throws SQLException {
		ResultSetMetaData metaData = rows.getMetaData();
		List<Row> read = new ArrayList<>();
		while (rows.next()) {
			List<String> values = new ArrayList<>();
			Long token = null;
			for (int i = 1; i <= metaData.getColumnCount(); i++) {
				String column = metaData.getColumnLabel(i).toLowerCase(Locale.ROOT);
				if (column.equals(TOKEN)) {
					token = rows.getLong(i);
				}
				else if (!GENERATED.contains(column)) {
					values.add(column + "=" + rows.getString(i));
				}
			}
			read.add(new Row(values, token));
		}
		return read;
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
		this.pool.close();
	}

	/**
	 * A row.
	 *
	 * @param values its columns but for the token and the generated ones
	 * @param token its token; null if it was read without
	 */
	record Row(List<String> values, @Nullable Long token) {
	}

	/**
	 * What a statement did.
	 *
	 * @param count the rows that it wrote, as the database counts them
	 * @param returned the rows that it answered with
	 * @param contents the rows of all tables afterwards
	 */
	record Effect(int count, List<Row> returned, Map<String, List<Row>> contents) {
	}

}
