package dev.fencing.jdbc;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.util.ConcurrentLruCache;

/**
 * Turns named parameters into positional ones, and keeps the statements that were read
 * last.
 */
final class NamedStatements {

	private static final int CAPACITY = 256;

	private final ConcurrentLruCache<String, NamedStatement> cache = new ConcurrentLruCache<>(CAPACITY,
			NamedStatement::of);

	/**
	 * Put values in the place of the names.
	 * @param sql the statement, with {@code :name} for each value
	 * @param source the values; not changed
	 * @throws InvalidDataAccessApiUsageException if they do not fit
	 */
	StatementCall call(String sql, SqlParameterSource source) {
		return this.cache.get(sql).call(source);
	}

}
