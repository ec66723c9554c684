package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementClauses.Clause;
import dev.fencing.jdbc.StatementClauses.Keyword;

/**
 * Decides whether a statement can be guarded, and where stamp and guard go. Every
 * insertion is made directly before or behind a token, so that no comment can swallow it,
 * and the condition is put in brackets as a whole.
 */
final class StatementGuard {

	private static final String JOINS = "Take the other table into a sub-select of the WHERE. "
			+ StatementRefusal.BY_HAND;

	private static final String COLUMN_LIST = "Write INSERT INTO table (columns) VALUES (...)[, (...)].";

	private final StatementClauses clauses;

	private final SqlText text;

	private final String column;

	private final List<Splice> splices = new ArrayList<>();

	private StatementGuard(StatementClauses clauses, String column) {
		this.clauses = clauses;
		this.text = clauses.text();
		this.column = column;
	}

	/**
	 * Guard a statement.
	 * @param clauses the statement
	 * @param column the name of the token column
	 * @throws UnguardableStatementException if it cannot be guarded
	 */
	static GuardedStatement guard(StatementClauses clauses, String column) {
		return new StatementGuard(clauses, column).guard();
	}

	private GuardedStatement guard() {
		refuseTokenColumn();
		for (Clause clause : this.clauses.clauses()) {
			refuseUnguardable(clause);
		}
		LockingQuery query = null;
		switch (this.clauses.kind()) {
			case INSERT -> guardInsert();
			case UPDATE -> {
				stampUpdate();
				query = guardRows();
			}
			case DELETE -> query = guardRows();
		}
		return GuardedStatement.of(this.clauses, this.splices, query);
	}

	private void refuseTokenColumn() {
		for (int i = 0; i < this.text.size(); i++) {
			if (this.text.isIdentifier(i) && this.text.identifier(i).mayBe(this.column)) {
				throw this.text.refuse(i, "it already names the token column " + this.column,
						"Leave the column out, it is stamped and compared for you. " + StatementRefusal.BY_HAND);
			}
		}
	}

	private void refuseUnguardable(Clause clause) {
		switch (clause.keyword()) {
			case FROM -> throw refuse(clause, this.clauses.kind() + " ... FROM joins other tables", JOINS);
			case USING -> throw refuse(clause, "DELETE ... USING joins other tables", JOINS);
			case RETURNING -> throw refuse(clause, "RETURNING is not guarded",
					"Leave it out, and read the rows afterwards in the same transaction. " + StatementRefusal.BY_HAND);
			case ORDER, LIMIT, OFFSET,
					FETCH ->
				throw refuse(clause, "with a limit, a guard would change which rows are taken",
						"Read the keys first, in the same transaction, and then write these rows. "
								+ StatementRefusal.BY_HAND);
			case SELECT, WITH, TABLE ->
				throw refuse(clause, "INSERT ... SELECT is not guarded", COLUMN_LIST + " " + StatementRefusal.BY_HAND);
			case DEFAULT -> throw refuse(clause, "INSERT without a column list", COLUMN_LIST);
			case SET, WHERE, COLUMNS, OVERRIDING, VALUES, ON -> {
			}
		}
	}

	private void stampUpdate() {
		List<Clause> all = this.clauses.clauses();
		if (all.isEmpty() || all.get(0).keyword() != Keyword.SET) {
			throw this.text.refuse(all.isEmpty() ? this.clauses.end() : all.get(0).start(),
					"SET is expected behind one table", "Joins are not guarded. " + StatementRefusal.BY_HAND);
		}
		Clause set = all.get(0);
		if (set.from() == set.to()) {
			throw this.text.refuse(set.to(), "SET sets nothing", "Set at least one column.");
		}
		insertBehind(set.to() - 1, ", " + this.column + " = ?");
	}

	private LockingQuery guardRows() {
		Clause where = null;
		for (Clause clause : this.clauses.clauses()) {
			if (clause.keyword() == Keyword.WHERE) {
				if (where != null) {
					throw refuse(clause, "a second WHERE", "Correct the statement.");
				}
				where = clause;
			}
		}
		if (where == null) {
			insertBehind(this.clauses.end() - 1, " where " + this.column + " < ?");
		}
		else {
			if (where.from() == where.to()) {
				throw this.text.refuse(where.to(), "WHERE without a condition", "Correct the statement.");
			}
			if (this.text.isWord(where.from(), "CURRENT") && this.text.isWord(where.from() + 1, "OF")) {
				throw this.text.refuse(where.from(), "the row under a cursor cannot be guarded",
						"Name the row by its key.");
			}
			insertBefore(where.from(), "(");
			insertBehind(where.to() - 1, ") and " + this.column + " < ?");
		}
		return LockingQuery.of(this.clauses, where, this.column);
	}

	private void guardInsert() {
		Clause columns = this.clauses.find(Keyword.COLUMNS);
		if (columns == null || this.text.isWord(columns.from(), "SELECT") || this.text.isWord(columns.from(), "WITH")) {
			throw this.text.refuse(this.clauses.target().to(), "INSERT without a column list", COLUMN_LIST);
		}
		checkList(columns.from(), columns.to());
		insertBehind(columns.to() - 1, ", " + this.column);
		Keyword before = Keyword.COLUMNS;
		Clause values = null;
		for (Clause clause : this.clauses.clauses()) {
			switch (clause.keyword()) {
				case COLUMNS -> {
				}
				case OVERRIDING -> {
					expect(clause, before == Keyword.COLUMNS);
				}
				case VALUES -> {
					expect(clause, before == Keyword.COLUMNS || before == Keyword.OVERRIDING);
					values = clause;
				}
				case ON -> {
					expect(clause, before == Keyword.VALUES);
					refuseUnlessDoNothing(clause);
				}
				case SET, FROM, USING, WHERE, RETURNING, ORDER, LIMIT, OFFSET, FETCH, DEFAULT, SELECT, WITH, TABLE ->
					expect(clause, false);
			}
			before = clause.keyword();
		}
		if (values == null) {
			throw this.text.refuse(this.clauses.end(), "VALUES is expected here", COLUMN_LIST);
		}
		stampRows(values);
	}

	private void expect(Clause clause, boolean expected) {
		if (!expected) {
			throw refuse(clause, "this is not expected here", COLUMN_LIST);
		}
	}

	private void refuseUnlessDoNothing(Clause on) {
		boolean conflict = this.text.isWord(on.from(), "CONFLICT");
		for (int i = on.from(); i < on.to(); i++) {
			if (this.text.token(i).depth() == 0 && this.text.isWord(i, "DO")) {
				// a row that is there stays as it is, so there is nothing to guard
				if (conflict && this.text.isWord(i + 1, "NOTHING") && i + 2 == on.to()) {
					return;
				}
				break;
			}
		}
		throw refuse(on, conflict ? "ON CONFLICT is guarded with DO NOTHING only" : "this clause is not guarded",
				"Update first, and insert if no row was there. " + StatementRefusal.BY_HAND);
	}

	private void stampRows(Clause values) {
		int i = values.from();
		while (true) {
			int closing = stampRow(i, values.to());
			if (closing + 1 == values.to()) {
				return;
			}
			if (!this.text.isSymbol(closing + 1, ',')) {
				throw this.text.refuse(closing + 1, "another row or the end is expected here", COLUMN_LIST);
			}
			i = closing + 2;
		}
	}

	private int stampRow(int opening, int end) {
		if (opening >= end || !this.text.isSymbol(opening, '(')) {
			throw this.text.refuse(opening, "a row in brackets is expected here", COLUMN_LIST);
		}
		for (String query : List.of("SELECT", "WITH", "VALUES", "TABLE")) {
			if (this.text.isWord(opening + 1, query)) {
				throw this.text.refuse(opening + 1, "a query instead of a row", COLUMN_LIST);
			}
		}
		int closing = this.text.closing(opening);
		checkList(opening + 1, closing);
		insertBehind(closing - 1, ", ?");
		return closing;
	}

	/**
	 * A list that is empty, or that ends with a comma, would be a correct one once it is
	 * stamped.
	 */
	private void checkList(int from, int to) {
		if (from == to || this.text.isSymbol(to - 1, ',')) {
			throw this.text.refuse(to, "something is missing in this list", "Correct the statement.");
		}
	}

	private void insertBefore(int token, String inserted) {
		this.splices.add(new Splice(this.text.token(token).start(), inserted));
	}

	private void insertBehind(int token, String inserted) {
		int offset = this.text.token(token).end();
		boolean apart = offset == this.text.sql().length()
				|| " \t\r\n\f),;".indexOf(this.text.sql().charAt(offset)) >= 0;
		this.splices.add(new Splice(offset, apart ? inserted : inserted + " "));
	}

	private UnguardableStatementException refuse(Clause clause, String reason, String wayOut) {
		return this.text.refuse(clause.start(), reason, wayOut);
	}

	/**
	 * Text that is put into the statement.
	 *
	 * @param offset where, in the text as the application gave it
	 * @param inserted the text
	 */
	record Splice(int offset, String inserted) {

		int placeholders() {
			return this.inserted.indexOf('?') < 0 ? 0 : 1;
		}

	}

}
