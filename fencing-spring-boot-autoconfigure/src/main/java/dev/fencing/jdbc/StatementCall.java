package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A statement with positional parameters and its arguments.
 *
 * @param statement the statement
 * @param arguments the arguments in order, without those for the token; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // as Spring takes them, and compared by nobody
record StatementCall(Statement statement, @Nullable Object[] arguments) {

	static StatementCall of(String sql, @Nullable Object... arguments) {
		return new StatementCall(new Statement(sql, List.of()), arguments);
	}

	/**
	 * A statement as it is guarded.
	 *
	 * @param sql its text
	 * @param tokenParameters which of its placeholders, counted from 0, stand for the
	 * fencing token; besides these each {@code :fencingToken} in the text does
	 */
	record Statement(String sql, List<Integer> tokenParameters) {
	}

}
