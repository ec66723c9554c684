package dev.fencing.test;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Reads what is committed in the tables of all data sources.
 */
final class TableReader {

	private static final Set<Integer> BINARY = Set.of(Types.BLOB, Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY);

	private static final String[] TABLES = { "TABLE", "BASE TABLE", "PARTITIONED TABLE" };

	private static final Set<String> SYSTEM_SCHEMAS = Set.of("information_schema", "pg_catalog", "pg_toast", "sys",
			"mysql", "performance_schema");

	private final Map<String, DataSource> dataSources;

	private final Set<String> watched;

	private final Predicate<String> ignored;

	/**
	 * Create a reader.
	 * @param dataSources the data sources by their names
	 * @param watched the tables to read; none for all
	 * @param ignored tells the tables that are left out of all
	 */
	TableReader(Map<String, DataSource> dataSources, Set<String> watched, Predicate<String> ignored) {
		this.dataSources = dataSources;
		this.watched = watched;
		this.ignored = ignored;
	}

	/**
	 * Refuse tables that are not there.
	 * @throws IllegalArgumentException if one of those that are watched is in no data
	 * source
	 */
	void check() {
		if (this.watched.isEmpty()) {
			return;
		}
		List<TableName> found = new ArrayList<>();
		forEachTable((connection, table) -> found.add(table));
		for (String name : this.watched) {
			Assert.isTrue(found.stream().anyMatch((table) -> table.isCalled(name)),
					() -> "Table '%s' is in no data source".formatted(name));
		}
	}

	/**
	 * Read the tables.
	 */
	TableSnapshot read() {
		Map<TableName, List<String>> tables = new LinkedHashMap<>();
		forEachTable((connection, table) -> tables.put(table, rows(connection, table)));
		return new TableSnapshot(tables);
	}

	private void forEachTable(TableVisitor visitor) {
		this.dataSources.forEach((name, dataSource) -> {
			try (Connection connection = dataSource.getConnection()) {
				for (TableName table : tables(connection, name)) {
					visitor.visit(connection, table);
				}
			}
			catch (SQLException | RuntimeException ex) {
				throw new IllegalStateException("""
						The tables of data source '%s' could not be read: %s. Both owners and this comparison need a \
						connection, so that a pool needs at least three""".formatted(name, ex.getMessage()), ex);
			}
		});
	}

	private List<TableName> tables(Connection connection, String dataSource) throws SQLException {
		List<TableName> tables = new ArrayList<>();
		DatabaseMetaData metaData = connection.getMetaData();
		// Oracle shows the tables of its own as any others
		String schema = metaData.getDatabaseProductName().equals("Oracle") ? connection.getSchema() : null;
		try (ResultSet found = metaData.getTables(connection.getCatalog(), schema, "%", TABLES)) {
			while (found.next()) {
				TableName table = new TableName(dataSource, found.getString("TABLE_SCHEM"),
						found.getString("TABLE_NAME"));
				if (!isSystem(table) && isRead(table)) {
					tables.add(table);
				}
			}
		}
		return tables;
	}

	private static boolean isSystem(TableName table) {
		return table.schema() != null && SYSTEM_SCHEMAS.contains(table.schema().toLowerCase(Locale.ROOT));
	}

	private boolean isRead(TableName table) {
		return this.watched.isEmpty() ? !this.ignored.test(table.name())
				: this.watched.stream().anyMatch(table::isCalled);
	}

	private static List<String> rows(Connection connection, TableName table) throws SQLException {
		String quote = connection.getMetaData().getIdentifierQuoteString().strip();
		String schema = StringUtils.hasText(table.schema()) ? quote + table.schema() + quote + "." : "";
		List<String> rows = new ArrayList<>();
		try (Statement statement = connection.createStatement();
				ResultSet found = statement.executeQuery("select * from " + schema + quote + table.name() + quote)) {
			while (found.next()) {
				rows.add(row(found));
			}
		}
		return rows;
	}

	private static String row(ResultSet found) throws SQLException {
		ResultSetMetaData columns = found.getMetaData();
		StringJoiner row = new StringJoiner(", ", "[", "]");
		for (int i = 1; i <= columns.getColumnCount(); i++) {
			row.add(columns.getColumnLabel(i).toLowerCase(Locale.ROOT) + "=" + value(found, i));
		}
		return row.toString();
	}

	private static @Nullable String value(ResultSet found, int column) throws SQLException {
		if (!BINARY.contains(found.getMetaData().getColumnType(column))) {
			return found.getString(column);
		}
		byte[] bytes = found.getBytes(column);
		if (bytes == null) {
			return null;
		}
		return HexFormat.of().formatHex(bytes);
	}

	/**
	 * Looks at a table.
	 */
	@FunctionalInterface
	private interface TableVisitor {

		void visit(Connection connection, TableName table) throws SQLException;

	}

}
