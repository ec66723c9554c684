package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.SqlText.Range;
import dev.fencing.jdbc.StatementClauses.Clause;

/**
 * An ON CONFLICT.
 *
 * @param columns the columns that may conflict, each a single token
 * @param predicate the predicate of a partial index; null if there is none
 * @param assignments what DO UPDATE sets; empty for DO NOTHING
 * @param condition which rows DO UPDATE updates; null for all
 */
record ConflictClause(List<Range> columns, @Nullable Range predicate, Range assignments, @Nullable Range condition) {

	private static final String FORM = "Write ON CONFLICT (columns) DO UPDATE SET ... [WHERE ...], or DO NOTHING. "
			+ StatementRefusal.PLAIN;

	boolean doesNothing() {
		return this.assignments.isEmpty();
	}

	/**
	 * Read a clause.
	 * @throws UnguardableStatementException if it is not ON CONFLICT, or if its conflict
	 * cannot be looked for
	 */
	static ConflictClause read(StatementClauses clauses, Clause on) {
		SqlText text = clauses.text();
		int action = text.find(on.from(), on.to(), "DO");
		if (!text.isWord(on.from(), "CONFLICT") || action >= on.to()) {
			throw text.refuse(on.start(), "this clause is not guarded", FORM);
		}
		if (text.isWord(action + 1, "NOTHING") && action + 2 == on.to()) {
			return new ConflictClause(List.of(), null, new Range(action, action), null);
		}
		if (!text.isWord(action + 1, "UPDATE") || !text.isWord(action + 2, "SET") || action + 3 >= on.to()) {
			throw text.refuse(action, "this clause is not guarded", FORM);
		}
		if (!text.dialect().hasConflictUpdates()) {
			throw text.refuse(on.start(), "this database has no ON CONFLICT DO UPDATE",
					"Update first, and insert if no row was there.");
		}
		int opening = on.from() + 1;
		if (!text.isSymbol(opening, '(')) {
			throw text.refuse(opening, "the columns that conflict are not named", FORM);
		}
		int closing = text.closing(opening);
		List<Range> columns = text.list(opening + 1, closing);
		for (Range column : columns) {
			if (column.size() != 1 || !text.isIdentifier(column.from())) {
				throw text.refuse(column.from(), "a conflict on something other than columns", FORM);
			}
		}
		Range predicate = text.isWord(closing + 1, "WHERE") ? new Range(closing + 2, action) : null;
		int where = text.find(action + 3, on.to(), "WHERE");
		Range condition = (where < on.to()) ? new Range(where + 1, on.to()) : null;
		Range assignments = new Range(action + 3, where);
		if (assignments.isEmpty() || (condition != null && condition.isEmpty())
				|| (predicate != null ? predicate.isEmpty() : closing + 1 != action)) {
			throw text.refuse(on.start(), "something is missing in this clause, or is too much", FORM);
		}
		return new ConflictClause(columns, predicate, assignments, condition);
	}

}
