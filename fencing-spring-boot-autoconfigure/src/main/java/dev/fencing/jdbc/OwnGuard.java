package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.InsertGuard.InsertedRows;
import dev.fencing.jdbc.SqlText.Range;
import dev.fencing.jdbc.StatementClauses.Clause;
import dev.fencing.jdbc.StatementClauses.Keyword;
import dev.fencing.jdbc.StatementClauses.Kind;

/**
 * Checks a statement with a guard of the application's own: it must stamp what it writes,
 * and compare what is there, with a token that is bound to it. Nothing is put into it.
 */
final class OwnGuard {

	private static final String FORM = """
			Write SET fencing_token = :fencingToken ... WHERE (...) AND fencing_token < :fencingToken; \
			or leave the token out of the statement altogether: then it is stamped and compared for you.""";

	private final StatementClauses clauses;

	private final SqlText text;

	private final String column;

	/**
	 * The arguments that must be tokens.
	 */
	private final List<Integer> tokenArguments = new ArrayList<>();

	private OwnGuard(StatementClauses clauses, String column) {
		this.clauses = clauses;
		this.text = clauses.text();
		this.column = column;
	}

	/**
	 * Return the guard, if the statement has the token in it.
	 * @return the guard, still to be checked; null if there is none
	 */
	static @Nullable OwnGuard find(StatementClauses clauses, String column) {
		OwnGuard guard = new OwnGuard(clauses, column);
		return (guard.mention() >= 0) ? guard : null;
	}

	/**
	 * Return the index of the first token that is the token column or its parameter, but
	 * for queries inside the statement and for what it returns; or -1.
	 */
	private int mention() {
		Clause returning = this.clauses.find(Keyword.RETURNING);
		int end = (returning != null) ? returning.start() : this.clauses.end();
		int endOfQuery = 0;
		for (int i = 0; i < end; i++) {
			if (this.text.is(i, SqlToken.Kind.TOKEN_PLACEHOLDER)
					|| (i >= endOfQuery && isColumn(i) && !isOfAnotherTable(i))) {
				return i;
			}
			if (i >= endOfQuery && this.text.isSymbol(i, '(')
					&& (this.text.isWord(i + 1, "SELECT") || this.text.isWord(i + 1, "WITH"))) {
				endOfQuery = this.text.closing(i);
			}
		}
		return -1;
	}

	private boolean isOfAnotherTable(int index) {
		return this.clauses.otherTables() != null && this.text.isSymbol(index - 1, '.')
				&& this.text.isIdentifier(index - 2) && !this.text.identifier(index - 2)
					.mayBe(this.text.identifier(this.clauses.target().reference()).name());
	}

	private boolean isColumn(int index) {
		return (this.text.isIdentifier(index) || this.text.is(index, SqlToken.Kind.STRING_OR_NAME))
				&& this.text.identifier(index).mayBe(this.column);
	}

	/**
	 * Whether this is the token column, and not one whose name differs from it in case.
	 */
	private boolean isCertainlyColumn(int index) {
		return this.text.isIdentifier(index) && this.text.identifier(index).isSame(this.column, this.text.dialect());
	}

	/**
	 * Check the guard.
	 * @throws UnguardableStatementException if it does not guard the statement
	 */
	GuardedStatement guard() {
		GuardedStatement.Builder guarded = GuardedStatement.builder(this.clauses);
		switch (this.clauses.kind()) {
			case INSERT -> checkInsert(guarded);
			case UPDATE -> {
				Clause set = this.clauses.clauses().get(0);
				checkStamp(new Range(set.from(), set.to()), false);
				checkRows(guarded);
			}
			case DELETE -> checkRows(guarded);
		}
		return guarded.tokenArguments(this.tokenArguments).build();
	}

	private void checkRows(GuardedStatement.Builder guarded) {
		Clause where = this.clauses.find(Keyword.WHERE);
		if (where == null) {
			throw refuse(mention(), "the token is named, but there is no WHERE to compare it");
		}
		Range condition = new Range(where.from(), where.to());
		Range guard = guard(condition, this.clauses.otherTables() != null, false);
		String token = this.clauses.unambiguous(this.column);
		guarded.refusedRows(LockingQuery.ofRows(this.clauses, condition, guard, token))
			.pinnedColumns(StatementGuard.pinned(this.clauses, condition));
	}

	private void checkInsert(GuardedStatement.Builder guarded) {
		InsertedRows rows = InsertGuard.rows(this.clauses);
		int place = -1;
		List<Range> columns = this.text.list(rows.columns().from(), rows.columns().to());
		for (int i = 0; i < columns.size(); i++) {
			place = (columns.get(i).size() == 1 && isCertainlyColumn(columns.get(i).from())) ? i : place;
		}
		if (place < 0) {
			throw refuse(mention(), "the token is named, but the column list has no " + this.column);
		}
		if (rows.query() != null) {
			throw refuse(columns.get(place).from(), "INSERT ... SELECT that names the token column");
		}
		for (Range row : rows.values()) {
			List<Range> values = this.text.list(row.from(), row.to());
			if (place >= values.size() || !isToken(values.get(place), false)) {
				throw refuse(row.from(), "this row is not stamped with the token");
			}
		}
		Clause on = this.clauses.find(Keyword.ON);
		if (on != null) {
			checkConflict(on, rows, guarded);
		}
	}

	private void checkConflict(Clause on, InsertedRows rows, GuardedStatement.Builder guarded) {
		if (this.text.dialect().hasDuplicateKeys()) {
			throw refuse(on.start(), "ON DUPLICATE KEY UPDATE in a statement that names the token");
		}
		ConflictClause conflict = ConflictClause.read(this.clauses, on);
		if (conflict.doesNothing()) {
			return;
		}
		checkStamp(conflict.assignments(), true);
		Range condition = conflict.condition();
		if (condition == null) {
			throw refuse(on.start(), "DO UPDATE has no WHERE that compares the token");
		}
		guard(condition, true, true);
		guarded.refusedRows(ConflictingRows.query(this.clauses, conflict, rows, this.clauses.qualified(this.column)))
			.rows(rows.values().size(), false);
	}

	private void checkStamp(Range assignments, boolean upsert) {
		int stamps = 0;
		for (Range assignment : this.text.list(assignments.from(), assignments.to())) {
			if (!assigns(assignment)) {
				continue;
			}
			int column = column(assignment, false);
			if (stamps++ > 0 || column < 0 || !this.text.isSymbol(column + 1, '=')
					|| !isToken(new Range(column + 2, assignment.to()), upsert)) {
				throw refuse(assignment.from(), "the token column is set to something other than the token");
			}
		}
		if (stamps == 0) {
			throw refuse(mention(), "the token is named, but SET does not set " + this.column + " to it");
		}
	}

	private boolean assigns(Range assignment) {
		for (int i = assignment.from(); i < assignment.to() && !this.text.isSymbol(i, '='); i++) {
			if (isColumn(i)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the term that compares the token.
	 */
	private Range guard(Range condition, boolean qualified, boolean upsert) {
		for (Range term : Conjunction.terms(this.text, condition)) {
			int column = column(term, qualified);
			if (column >= 0 && this.text.isSymbol(column + 1, '<') && !this.text.isSymbol(column + 2, '=')
					&& isToken(new Range(column + 2, term.to()), upsert)) {
				return term;
			}
			int greater = this.text.isSymbol(term.from() + 1, '>') ? term.from() + 1 : term.from() + 3;
			if (greater + 1 < term.to() && this.text.isSymbol(greater, '>')
					&& column(new Range(greater + 1, term.to()), qualified) == term.to() - 1
					&& isToken(new Range(term.from(), greater), upsert)) {
				return term;
			}
		}
		throw refuse(condition.from(), "the token is named, but the condition does not demand that %s < the token"
			.formatted(qualified ? this.clauses.qualified(this.column) : this.column));
	}

	/**
	 * Return the index of the token column at the beginning of a range, or -1.
	 * @param qualified whether it must have the name of the target
	 */
	private int column(Range range, boolean qualified) {
		int last = range.from();
		if (this.text.isSymbol(last + 1, '.')) {
			if (!this.text.text(last).equals(this.clauses.targetReference())) {
				return -1;
			}
			last += 2;
		}
		else if (qualified) {
			return -1;
		}
		return (last < range.to() && isCertainlyColumn(last)) ? last : -1;
	}

	private boolean isToken(Range value, boolean upsert) {
		if (upsert && value.size() == 3 && this.text.isWord(value.from(), "EXCLUDED")
				&& this.text.isSymbol(value.from() + 1, '.')) {
			return isCertainlyColumn(value.from() + 2);
		}
		if (value.size() != 1) {
			return false;
		}
		if (this.text.is(value.from(), SqlToken.Kind.PLACEHOLDER)) {
			this.tokenArguments.add(this.text.token(value.from()).argument());
			return true;
		}
		return this.text.is(value.from(), SqlToken.Kind.TOKEN_PLACEHOLDER);
	}

	private UnguardableStatementException refuse(int index, String reason) {
		return this.text.refuse(index, reason, (this.clauses.kind() == Kind.INSERT) ? """
				Name the token column in the column list and give :fencingToken as its value in each row; \
				or leave the token out of the statement altogether: then it is stamped for you.""" : FORM);
	}

}
