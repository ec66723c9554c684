package dev.fencing.jdbc;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.fencing.jdbc.StatementClauses.Clause;
import dev.fencing.jdbc.StatementClauses.Target;

/**
 * Finds, and locks, the rows that an UPDATE or DELETE means but must not write: those
 * whose token is not less than a given one, or is missing.
 *
 * @param sql the query, its last parameter being the token
 * @param argumentsFrom the index of the first argument of the statement that it takes
 * over
 * @param argumentsTo the index behind the last one
 * @param hasSubSelect whether the condition reads other rows, so that it may mean other
 * rows once the statement has run
 */
record LockingQuery(String sql, int argumentsFrom, int argumentsTo, boolean hasSubSelect) {

	static LockingQuery of(StatementClauses clauses, @Nullable Clause where, String column) {
		SqlText text = clauses.text();
		Target target = clauses.target();
		String table = text.text(target.from(), target.to());
		String refused = "(%s >= ? or %s is null)".formatted(column, column);
		if (where == null) {
			return new LockingQuery("select %s from %s where %s for update".formatted(column, table, refused), 0, 0,
					false);
		}
		int argumentsFrom = text.placeholders(0, where.from());
		int argumentsTo = argumentsFrom + text.placeholders(where.from(), where.to());
		boolean hasSubSelect = IntStream.range(where.from(), where.to()).anyMatch((i) -> text.isWord(i, "SELECT"));
		String condition = text.text(where.from(), where.to());
		return new LockingQuery(
				"select %s from %s where (%s) and %s for update".formatted(column, table, condition, refused),
				argumentsFrom, argumentsTo, hasSubSelect);
	}

	/**
	 * Return the arguments of the query.
	 * @param arguments the arguments of the statement
	 * @param token the least token that makes a row a refused one
	 */
	@Nullable Object[] bind(@Nullable Object[] arguments, long token) {
		int count = this.argumentsTo - this.argumentsFrom;
		@Nullable Object[] bound = Arrays.copyOfRange(arguments, this.argumentsFrom, this.argumentsTo + 1);
		bound[count] = token;
		return bound;
	}

}
