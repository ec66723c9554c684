package dev.fencing.jdbc;

import org.springframework.util.ConcurrentLruCache;

import dev.fencing.UnguardableStatementException;

/**
 * Keeps the statements that were guarded last, by their text.
 */
final class GuardedStatements {

	private static final int CAPACITY = 512;

	private final ConcurrentLruCache<String, GuardedStatement> cache;

	/**
	 * Create an empty cache.
	 * @param dialect how to read the statements
	 * @param column the name of the token column
	 */
	GuardedStatements(SqlDialect dialect, String column) {
		this.cache = new ConcurrentLruCache<>(CAPACITY, (sql) -> GuardedStatement.of(sql, dialect, column));
	}

	/**
	 * Guard a statement, or return what it became before.
	 * @throws UnguardableStatementException if it cannot be guarded
	 */
	GuardedStatement get(String sql) {
		return this.cache.get(sql);
	}

}
