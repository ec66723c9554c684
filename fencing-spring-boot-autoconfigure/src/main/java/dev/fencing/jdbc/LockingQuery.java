package dev.fencing.jdbc;

import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import dev.fencing.jdbc.SqlText.Range;
import dev.fencing.jdbc.StatementClauses.Clause;

/**
 * Finds, and locks, the rows that a statement means but must not write: those whose token
 * is not less than a given one, or is missing.
 *
 * @param query the query
 * @param readsOtherRows whether the condition reads other rows, so that it may mean other
 * rows once the statement has run
 */
record LockingQuery(BoundSql query, boolean readsOtherRows) {

	/**
	 * Make the query for the rows of an UPDATE or DELETE.
	 * @param condition its condition; null if it has none
	 * @param guard the term of the condition that is the application's own guard; null if
	 * there is none
	 * @param token the token column as the statement may name it
	 */
	static LockingQuery ofRows(StatementClauses clauses, @Nullable Range condition, @Nullable Range guard,
			String token) {
		SqlText text = clauses.text();
		BoundSqlBuilder query = new BoundSqlBuilder(text);
		start(query, clauses, token);
		boolean readsOtherRows = clauses.start() > 0
				|| (condition != null && reads(text, condition.from(), condition.to()));
		Clause others = clauses.otherTables();
		if (others != null) {
			query.append(", ").append(others.from(), others.to());
			// One of them may be the target under another name
			readsOtherRows = true;
		}
		query.append(" where ");
		if (condition == null) {
			query.append(refused(token), BoundSql.LEAST);
		}
		else if (guard == null) {
			query.append("(").append(condition.from(), condition.to()).append(") and ");
			query.append(refused(token), BoundSql.LEAST);
		}
		else {
			query.append("(").append(condition.from(), guard.from()).append(" ");
			query.append(refused(token), BoundSql.LEAST);
			query.append(" ").append(guard.to(), condition.to()).append(")");
		}
		query.append(" for update");
		if (others != null) {
			query.append(" of " + clauses.targetReference());
		}
		return new LockingQuery(query.build(), readsOtherRows);
	}

	/**
	 * Begin with the leading WITH and the target.
	 */
	static void start(BoundSqlBuilder query, StatementClauses clauses, String token) {
		if (clauses.start() > 0) {
			query.append(0, clauses.start()).append(" ");
		}
		query.append("select " + token + " from ").append(clauses.target().from(), clauses.target().to());
	}

	/**
	 * Return the condition that makes a row a refused one.
	 */
	static String refused(String token) {
		return "(%s >= %s or %s is null)".formatted(token, BoundSqlBuilder.TOKEN, token);
	}

	static boolean reads(SqlText text, int from, int to) {
		return IntStream.range(from, to)
			.anyMatch((i) -> text.isWord(i, "SELECT") || text.isWord(i, "TABLE") || text.isWord(i, "VALUES"));
	}

}
