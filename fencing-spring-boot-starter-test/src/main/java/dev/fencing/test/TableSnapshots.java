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
import java.util.TreeMap;
import java.util.TreeSet;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Compares the rows of the tables of all data sources.
 */
final class TableSnapshots {

	private static final Set<Integer> BINARY = Set.of(Types.BLOB, Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY);

	private final Map<String, DataSource> dataSources;

	private final Set<String> watched;

	private final Set<String> ignored;

	private Map<Table, List<String>> remembered = Map.of();

	/**
	 * Create a comparison.
	 * @param dataSources the data sources by the names of their beans
	 * @param watched the tables to compare; none for all
	 * @param ignored the tables that are left out of all
	 */
	TableSnapshots(Map<String, DataSource> dataSources, Set<String> watched, Set<String> ignored) {
		this.dataSources = dataSources;
		this.watched = caseInsensitive(watched);
		this.ignored = caseInsensitive(ignored);
	}

	private static Set<String> caseInsensitive(Set<String> names) {
		Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		set.addAll(names);
		return set;
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
		Set<String> found = caseInsensitive(Set.of());
		forEachTable((connection, dataSource, table) -> found.add(table));
		for (String name : this.watched) {
			Assert.isTrue(found.contains(name),
					() -> "Table '%s' is in no data source, or not in its default schema".formatted(name));
		}
	}

	/**
	 * Remember what the tables contain now.
	 */
	void remember() {
		this.remembered = read();
	}

	/**
	 * Compare what the tables contain now with what they contained then.
	 */
	Leftovers changes() {
		Map<Table, List<String>> after = read();
		Map<String, List<String>> changes = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		after.forEach((table, rows) -> changes.computeIfAbsent(table.name(), (name) -> new ArrayList<>())
			.addAll(changes(table, this.remembered.getOrDefault(table, List.of()), rows)));
		return new Leftovers() {

			@Override
			public List<String> all() {
				return changes.values().stream().flatMap(List::stream).toList();
			}

			@Override
			public List<String> in(String table) {
				List<String> found = changes.get(table);
				Assert.isTrue(found != null, () -> notThere(table, changes.keySet()));
				return found;
			}

		};
	}

	private static String notThere(String name, Set<String> tables) {
		return "Table '%s' is not among those that were compared: %s".formatted(name, tables);
	}

	private static List<String> changes(Table table, List<String> before, List<String> after) {
		List<String> changes = new ArrayList<>();
		Map<String, Integer> counts = new LinkedHashMap<>();
		before.forEach((row) -> counts.merge(row, -1, Integer::sum));
		after.forEach((row) -> counts.merge(row, 1, Integer::sum));
		counts.forEach((row, difference) -> {
			for (int i = 0; i < Math.abs(difference); i++) {
				changes.add("%s: there %s %s".formatted(table, (difference > 0) ? "is now" : "was", row));
			}
		});
		return changes;
	}

	private Map<Table, List<String>> read() {
		Map<Table, List<String>> tables = new LinkedHashMap<>();
		forEachTable(
				(connection, dataSource, table) -> tables.put(new Table(dataSource, table), rows(connection, table)));
		return tables;
	}

	private void forEachTable(TableVisitor visitor) {
		this.dataSources.forEach((name, dataSource) -> {
			try (Connection connection = dataSource.getConnection()) {
				for (String table : tables(connection)) {
					visitor.visit(connection, name, table);
				}
			}
			catch (SQLException ex) {
				throw new IllegalStateException("""
						The tables of data source '%s' could not be read. Both owners and this comparison need a \
						connection, so that a pool needs at least three""".formatted(name), ex);
			}
		});
	}

	private List<String> tables(Connection connection) throws SQLException {
		List<String> tables = new ArrayList<>();
		DatabaseMetaData metaData = connection.getMetaData();
		try (ResultSet found = metaData.getTables(connection.getCatalog(), connection.getSchema(), "%",
				new String[] { "TABLE", "BASE TABLE", "PARTITIONED TABLE" })) {
			while (found.next()) {
				String name = found.getString("TABLE_NAME");
				if (this.watched.isEmpty() ? !this.ignored.contains(name) : this.watched.contains(name)) {
					tables.add(name);
				}
			}
		}
		return tables;
	}

	private static List<String> rows(Connection connection, String table) throws SQLException {
		String quote = connection.getMetaData().getIdentifierQuoteString().strip();
		List<String> rows = new ArrayList<>();
		try (Statement statement = connection.createStatement();
				ResultSet found = statement.executeQuery("select * from " + quote + table + quote)) {
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
	private interface TableVisitor {

		void visit(Connection connection, String dataSource, String table) throws SQLException;

	}

	/**
	 * A table.
	 *
	 * @param dataSource the bean name of its data source
	 * @param name its name
	 */
	private record Table(String dataSource, String name) {

		@Override
		public String toString() {
			return this.name + " (" + this.dataSource + ")";
		}

	}

}
