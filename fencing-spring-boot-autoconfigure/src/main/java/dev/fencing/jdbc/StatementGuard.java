package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.SqlText.Range;
import dev.fencing.jdbc.StatementClauses.Clause;
import dev.fencing.jdbc.StatementClauses.Keyword;
import dev.fencing.jdbc.StatementClauses.Kind;

import static dev.fencing.jdbc.BoundSqlBuilder.TOKEN;

/**
 * Decides whether a statement can be guarded, and where stamp and guard go. A condition
 * is put in brackets as a whole.
 */
final class StatementGuard {

	private static final String JOINS = "Take the other table into a sub-select of the WHERE. "
			+ StatementRefusal.PLAIN;

	private final StatementClauses clauses;

	private final SqlText text;

	private final String column;

	private final Splices splices;

	private StatementGuard(StatementClauses clauses, String column) {
		this.clauses = clauses;
		this.text = clauses.text();
		this.column = column;
		this.splices = new Splices(clauses.text());
	}

	/**
	 * Guard a statement.
	 * @param clauses the statement
	 * @param column the name of the token column
	 * @throws UnguardableStatementException if it cannot be guarded
	 */
	static GuardedStatement guard(StatementClauses clauses, String column) {
		StatementGuard guard = new StatementGuard(clauses, column);
		guard.refuseUnguardable();
		OwnGuard own = OwnGuard.find(clauses, column);
		if (own != null) {
			return own.guard();
		}
		return switch (clauses.kind()) {
			case INSERT -> new InsertGuard(clauses, column).guard();
			case UPDATE -> guard.guardUpdate();
			case DELETE -> guard.guardRows();
		};
	}

	private void refuseUnguardable() {
		Keyword before = null;
		for (Clause clause : this.clauses.clauses()) {
			refuseUnguardable(clause);
			boolean inOrder = before == null || before.compareTo(clause.keyword()) < 0;
			if (this.clauses.kind() != Kind.INSERT && !inOrder) {
				throw refuse(clause, (before == clause.keyword()) ? "a second " + before : "this is not expected here",
						"Correct the statement.");
			}
			if (clause.from() == clause.to() && this.clauses.kind() != Kind.INSERT) {
				throw this.text.refuse(clause.to(), clause.keyword() + " without anything behind it",
						"Correct the statement. Put a column that is called so in quotes.");
			}
			before = clause.keyword();
		}
		boolean hasSet = !this.clauses.clauses().isEmpty() && this.clauses.clauses().get(0).keyword() == Keyword.SET;
		if (this.clauses.kind() == Kind.UPDATE && !hasSet) {
			throw this.text.refuse(this.clauses.target().to(), "SET is expected behind one table", JOINS);
		}
	}

	private void refuseUnguardable(Clause clause) {
		switch (clause.keyword()) {
			case FROM, USING -> {
				if (!this.text.dialect().hasJoinedTables()) {
					throw refuse(clause, this.clauses.kind() + " ... " + clause.keyword() + " joins other tables",
							JOINS);
				}
			}
			case RETURNING -> {
				if (!this.text.dialect().hasReturning()) {
					throw refuse(clause, "this database has no RETURNING",
							"Leave it out, and read the rows afterwards in the same transaction.");
				}
			}
			case ORDER, LIMIT, OFFSET, FETCH ->
				throw refuse(clause, "with a limit, a guard would change which rows are taken", """
						Choose the rows in a sub-select of the WHERE, or read their keys first in the same \
						transaction. Put a column that is called so in quotes.""");
			case WHERE -> {
				if (this.text.isWord(clause.from(), "CURRENT") && this.text.isWord(clause.from() + 1, "OF")) {
					throw this.text.refuse(clause.from(), "the row under a cursor cannot be guarded",
							"Name the row by its key.");
				}
			}
			case SET, COLUMNS, OVERRIDING, VALUES, ON, SELECT, WITH, TABLE, DEFAULT -> {
			}
		}
	}

	private GuardedStatement guardUpdate() {
		Clause set = this.clauses.clauses().get(0);
		this.splices.behind(set.to() - 1, ", " + this.column + " = " + TOKEN);
		return guardRows();
	}

	private GuardedStatement guardRows() {
		Clause where = this.clauses.find(Keyword.WHERE);
		String token = this.clauses.unambiguous(this.column);
		if (where == null) {
			Clause returning = this.clauses.find(Keyword.RETURNING);
			int end = (returning != null) ? returning.start() : this.clauses.end();
			this.splices.behind(end - 1, " where " + token + " < " + TOKEN);
		}
		else {
			this.splices.before(where.from(), "(");
			this.splices.behind(where.to() - 1, ") and " + token + " < " + TOKEN);
		}
		Range condition = (where != null) ? new Range(where.from(), where.to()) : null;
		return GuardedStatement.builder(this.clauses)
			.splices(this.splices)
			.refusedRows(LockingQuery.ofRows(this.clauses, condition, null, token))
			.pinnedColumns(pinned(this.clauses, condition))
			.build();
	}

	/**
	 * Return the columns that a condition fixes. With other tables in the statement the
	 * names might be theirs.
	 */
	static PinnedColumns pinned(StatementClauses clauses, @Nullable Range condition) {
		return (condition != null && clauses.otherTables() == null) ? PinnedColumns.of(clauses.text(), condition)
				: PinnedColumns.NONE;
	}

	private UnguardableStatementException refuse(Clause clause, String reason, String wayOut) {
		return this.text.refuse(clause.start(), reason, wayOut);
	}

}
