package dev.fencing.jdbc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The primary keys of the tables that are written, read once per table.
 */
final class PrimaryKeys {

	private final Map<List<SqlIdentifier>, PrimaryKey> keys = new ConcurrentHashMap<>();

	/**
	 * Return whether the statement can mean one row at most, because its condition fixes
	 * the whole primary key.
	 */
	boolean isPinned(JdbcOperations jdbc, GuardedStatement statement, @Nullable Object[] arguments) {
		if (statement.pinnedColumns().isEmpty()) {
			return false;
		}
		List<SqlIdentifier> table = statement.target().name();
		PrimaryKey key = this.keys.get(table);
		if (key == null) {
			key = read(jdbc, statement.dialect(), table);
			this.keys.put(table, key);
		}
		return key.isPinned(statement.pinnedColumns(), arguments);
	}

	private static PrimaryKey read(JdbcOperations jdbc, SqlDialect dialect, List<SqlIdentifier> table) {
		if (dialect.mayInherit(jdbc, table.get(table.size() - 1))) {
			return PrimaryKey.UNKNOWN;
		}
		PrimaryKey key = jdbc.execute((ConnectionCallback<PrimaryKey>) (connection) -> PrimaryKeyReader
			.read(connection.getMetaData(), dialect, table));
		return (key != null) ? key : PrimaryKey.UNKNOWN;
	}

}
