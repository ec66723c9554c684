package dev.fencing.jdbc;

/**
 * Finds the end of a leading WITH.
 */
final class WithClause {

	private WithClause() {
	}

	/**
	 * Return the index behind the WITH at an index, which is the statement's first word
	 * proper; or the index itself if there is no WITH.
	 * @throws dev.fencing.UnguardableStatementException if it is not made of named
	 * queries
	 */
	static int end(SqlText text, int from, int to) {
		if (!text.isWord(from, "WITH")) {
			return from;
		}
		int i = text.isWord(from + 1, "RECURSIVE") ? from + 2 : from + 1;
		while (true) {
			i = behindQuery(text, i, to);
			if (i >= to || !text.isSymbol(i, ',')) {
				return i;
			}
			i++;
		}
	}

	private static int behindQuery(SqlText text, int from, int to) {
		int i = from;
		if (i < to && text.isIdentifier(i)) {
			i++;
			if (i < to && text.isSymbol(i, '(')) {
				i = text.closing(i) + 1;
			}
			if (i < to && text.isWord(i, "AS")) {
				i++;
				i += text.isWord(i, "NOT") ? 1 : 0;
				i += text.isWord(i, "MATERIALIZED") ? 1 : 0;
				if (i < to && text.isSymbol(i, '(')) {
					return text.closing(i) + 1;
				}
			}
		}
		throw text.refuse(Math.min(i, to), "a WITH that is not name AS (query)",
				"Write the queries as sub-selects. " + StatementRefusal.PLAIN);
	}

}
