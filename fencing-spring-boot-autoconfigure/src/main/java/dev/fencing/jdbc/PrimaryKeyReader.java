package dev.fencing.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Reads the primary key of a table. A name without a schema may mean a table in any of
 * them: then all of that name must have the same key.
 */
final class PrimaryKeyReader {

	private static final Set<Integer> TEXTS = Set.of(Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR,
			Types.NVARCHAR, Types.LONGNVARCHAR, Types.CLOB, Types.NCLOB);

	private final DatabaseMetaData metaData;

	private final UnaryOperator<String> fold;

	private final SqlDialect dialect;

	private PrimaryKeyReader(DatabaseMetaData metaData, SqlDialect dialect) throws SQLException {
		this.metaData = metaData;
		this.dialect = dialect;
		if (metaData.storesUpperCaseIdentifiers()) {
			this.fold = (name) -> name.toUpperCase(Locale.ROOT);
		}
		else if (metaData.storesLowerCaseIdentifiers()) {
			this.fold = (name) -> name.toLowerCase(Locale.ROOT);
		}
		else {
			this.fold = UnaryOperator.identity();
		}
	}

	/**
	 * Read a key.
	 * @param metaData the database
	 * @param dialect what kind of database it is
	 * @param table the name of the table, with catalog and schema if the statement gives
	 * them
	 */
	static PrimaryKey read(DatabaseMetaData metaData, SqlDialect dialect, List<SqlIdentifier> table)
			throws SQLException {
		return new PrimaryKeyReader(metaData, dialect).read(table);
	}

	private PrimaryKey read(List<SqlIdentifier> table) throws SQLException {
		String name = stored(table.get(table.size() - 1));
		String schema = (table.size() > 1) ? stored(table.get(table.size() - 2)) : null;
		Set<Map<String, Boolean>> keys = new HashSet<>();
		for (Map.Entry<Place, Map<String, Boolean>> place : columns(schema, name).entrySet()) {
			keys.add(key(place.getKey(), name, place.getValue()));
		}
		return (keys.size() == 1) ? new PrimaryKey(keys.iterator().next(), this::column) : PrimaryKey.UNKNOWN;
	}

	private String column(SqlIdentifier identifier) {
		// The case of a column's name never matters to MySQL, whatever is true for tables
		return (this.dialect == SqlDialect.MYSQL) ? identifier.folded(this.dialect) : stored(identifier);
	}

	private String stored(SqlIdentifier identifier) {
		return identifier.quoted() ? identifier.name() : this.fold.apply(identifier.name());
	}

	private Map<Place, Map<String, Boolean>> columns(@Nullable String schema, String table) throws SQLException {
		Map<Place, Map<String, Boolean>> columns = new HashMap<>();
		// Where the schemas of statements are catalogs, none has a schema
		String pattern = this.metaData.supportsSchemasInDataManipulation() ? schema : null;
		// Names are patterns here, so more may come than was asked for
		try (ResultSet rows = this.metaData.getColumns(null, pattern, table, null)) {
			while (rows.next()) {
				Place place = new Place(rows.getString("TABLE_CAT"), rows.getString("TABLE_SCHEM"));
				if (table.equals(rows.getString("TABLE_NAME")) && (schema == null || schema.equals(place.name()))) {
					columns.computeIfAbsent(place, (key) -> new HashMap<>())
						.put(rows.getString("COLUMN_NAME"), TEXTS.contains(rows.getInt("DATA_TYPE")));
				}
			}
		}
		return columns;
	}

	private Map<String, Boolean> key(Place place, String table, Map<String, Boolean> columns) throws SQLException {
		Map<String, Boolean> key = new HashMap<>();
		try (ResultSet rows = this.metaData.getPrimaryKeys(place.catalog(), place.schema(), table)) {
			while (rows.next()) {
				String column = rows.getString("COLUMN_NAME");
				key.put(column(new SqlIdentifier(column, true)), columns.getOrDefault(column, true));
			}
		}
		return key;
	}

	/**
	 * Where a table is.
	 *
	 * @param catalog the catalog
	 * @param schema the schema
	 */
	private record Place(@Nullable String catalog, @Nullable String schema) {

		/**
		 * Return the name that statements give before that of the table.
		 */
		@Nullable String name() {
			return (this.schema != null && !this.schema.isEmpty()) ? this.schema : this.catalog;
		}

	}

}
