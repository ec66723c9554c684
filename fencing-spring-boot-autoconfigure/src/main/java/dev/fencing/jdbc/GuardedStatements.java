package dev.fencing.jdbc;

import org.springframework.util.ConcurrentLruCache;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementCall.Statement;

/**
 * Keeps the statements that were guarded last.
 */
final class GuardedStatements {

	private static final int CAPACITY = 512;

	private final ConcurrentLruCache<Statement, GuardedStatement> cache;

	/**
	 * Create an empty cache.
	 * @param dialect how to read the statements
	 * @param column the name of the token column
	 */
	GuardedStatements(SqlDialect dialect, String column) {
		this.cache = new ConcurrentLruCache<>(CAPACITY, (statement) -> GuardedStatement.of(statement, dialect, column));
	}

	/**
	 * Guard a statement, or return what it became before.
	 * @throws UnguardableStatementException if it cannot be guarded
	 */
	GuardedStatement get(Statement statement) {
		return this.cache.get(statement);
	}

}
