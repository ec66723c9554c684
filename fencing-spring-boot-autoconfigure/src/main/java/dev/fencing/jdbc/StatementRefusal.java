package dev.fencing.jdbc;

import dev.fencing.UnguardableStatementException;

/**
 * Makes the message for a statement that cannot be guarded: reason, position, way out and
 * the statement itself.
 */
final class StatementRefusal {

	/**
	 * The way out that is always open.
	 */
	static final String PLAIN = """
			Or send it through a plain JdbcTemplate inside the same lease and transaction, which is guarded as a whole, \
			and compare and stamp the rows with a token from FencingContext.require().nextToken().""";

	private static final int SHOWN = 2000;

	private StatementRefusal() {
	}

	/**
	 * Create the exception.
	 * @param sql the statement
	 * @param offset where the reason lies
	 * @param reason what is wrong, as a clause
	 * @param wayOut what to do instead, as sentences
	 */
	static UnguardableStatementException at(String sql, int offset, String reason, String wayOut) {
		int line = 1;
		int lineStart = 0;
		for (int i = 0; i < offset; i++) {
			if (sql.charAt(i) == '\n') {
				line++;
				lineStart = i + 1;
			}
		}
		return new UnguardableStatementException(
				"Statement cannot be guarded: %s, at line %d, column %d. Nothing was sent to the database. %s\n%s"
					.formatted(reason, line, offset - lineStart + 1, wayOut, shown(sql, offset)));
	}

	private static String shown(String sql, int offset) {
		if (sql.length() <= SHOWN) {
			return sql;
		}
		int start = Math.max(0, Math.min(offset - SHOWN / 2, sql.length() - SHOWN));
		int end = start + SHOWN;
		return ((start > 0) ? "..." : "") + sql.substring(start, end) + ((end < sql.length()) ? "..." : "");
	}

}
