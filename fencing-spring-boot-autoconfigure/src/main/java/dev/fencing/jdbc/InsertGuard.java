package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.SqlText.Range;
import dev.fencing.jdbc.StatementClauses.Clause;
import dev.fencing.jdbc.StatementClauses.Keyword;

import static dev.fencing.jdbc.BoundSqlBuilder.TOKEN;

/**
 * Stamps the rows that an INSERT makes, and guards those that it updates instead.
 */
final class InsertGuard {

	static final String FORM = "Write INSERT INTO table (columns) VALUES (...)[, (...)].";

	private final StatementClauses clauses;

	private final SqlText text;

	private final String column;

	private final Splices splices;

	InsertGuard(StatementClauses clauses, String column) {
		this.clauses = clauses;
		this.text = clauses.text();
		this.column = column;
		this.splices = new Splices(clauses.text());
	}

	GuardedStatement guard() {
		GuardedStatement.Builder guarded = GuardedStatement.builder(this.clauses).splices(this.splices);
		Clause set = this.clauses.find(Keyword.SET);
		Clause conflict = this.clauses.find(Keyword.ON);
		if (set != null && this.text.dialect().hasDuplicateKeys()) {
			expectOrder(List.of(Keyword.SET, Keyword.ON, Keyword.RETURNING));
			int end = isRowAlias(set.to() - 2, set.to()) ? set.to() - 2 : set.to();
			this.splices.behind(end - 1, ", " + this.column + " = " + TOKEN);
			if (conflict != null) {
				guardDuplicateKey(conflict, guarded);
			}
			return guarded.build();
		}
		InsertedRows rows = rows(this.clauses);
		this.splices.behind(rows.columns().to() - 1, ", " + this.column);
		if (rows.query() != null) {
			for (Range list : SelectLists.find(this.text, rows.query())) {
				this.splices.behind(list.to() - 1,
						", cast(%s as %s)".formatted(TOKEN, this.text.dialect().tokenType()));
			}
		}
		for (Range row : rows.values()) {
			this.splices.behind(row.to() - 1, ", " + TOKEN);
		}
		if (conflict != null) {
			if (this.text.dialect().hasDuplicateKeys()) {
				guardDuplicateKey(conflict, guarded);
			}
			else {
				guardConflict(conflict, rows, guarded);
			}
		}
		return guarded.build();
	}

	private void guardDuplicateKey(Clause on, GuardedStatement.Builder guarded) {
		DuplicateKeyGuard.guard(this.clauses, on, this.column, this.splices);
		guarded.marksRefusals();
	}

	private void guardConflict(Clause on, InsertedRows rows, GuardedStatement.Builder guarded) {
		ConflictClause conflict = ConflictClause.read(this.clauses, on);
		if (conflict.doesNothing()) {
			// a row that is there stays as it is, so there is nothing to guard
			return;
		}
		String token = this.clauses.qualified(this.column);
		String guard = token + " < excluded." + this.column;
		this.splices.behind(conflict.assignments().to() - 1, ", %s = excluded.%s".formatted(this.column, this.column));
		Range condition = conflict.condition();
		if (condition == null) {
			this.splices.behind(conflict.assignments().to() - 1, " where " + guard);
		}
		else {
			this.splices.before(condition.from(), "(");
			this.splices.behind(condition.to() - 1, ") and " + guard);
		}
		guarded.refusedRows(ConflictingRows.query(this.clauses, conflict, rows, token))
			.rows(rows.values().size(), condition == null);
	}

	/**
	 * Find the columns and the rows or the query of an INSERT.
	 * @throws UnguardableStatementException if it has none
	 */
	static InsertedRows rows(StatementClauses clauses) {
		return new InsertGuard(clauses, "").rows();
	}

	private InsertedRows rows() {
		Clause columns = this.clauses.find(Keyword.COLUMNS);
		if (columns == null || this.text.isWord(columns.from(), "SELECT") || this.text.isWord(columns.from(), "WITH")) {
			throw this.text.refuse(this.clauses.target().to(), "INSERT without a column list", FORM);
		}
		checkList(columns.from(), columns.to());
		Clause values = this.clauses.find(Keyword.VALUES);
		Clause query = this.clauses.find(Keyword.SELECT);
		if (query == null) {
			query = this.clauses.find(Keyword.WITH);
		}
		Range columnRange = new Range(columns.from(), columns.to());
		if (values != null) {
			expectOrder(List.of(Keyword.COLUMNS, Keyword.OVERRIDING, Keyword.VALUES, Keyword.ON, Keyword.RETURNING));
			return new InsertedRows(columnRange, readRows(values), null);
		}
		if (query != null) {
			expectOrder(List.of(Keyword.COLUMNS, Keyword.OVERRIDING, query.keyword(), Keyword.ON, Keyword.RETURNING));
			return new InsertedRows(columnRange, List.of(), new Range(query.start(), query.to()));
		}
		Clause last = this.clauses.clauses().get(this.clauses.clauses().size() - 1);
		throw this.text.refuse((last.keyword() == Keyword.COLUMNS) ? this.clauses.end() : last.start(),
				"VALUES or SELECT is expected here", FORM);
	}

	private void expectOrder(List<Keyword> order) {
		int before = -1;
		for (Clause clause : this.clauses.clauses()) {
			int place = order.indexOf(clause.keyword());
			if (place <= before) {
				throw this.text.refuse(clause.start(), "this is not expected here", FORM);
			}
			before = place;
		}
	}

	private List<Range> readRows(Clause values) {
		List<Range> rows = new ArrayList<>();
		int i = values.from();
		while (true) {
			Range row = readRow(i, values.to());
			rows.add(row);
			i = row.to() + 1;
			if (i == values.to() || isRowAlias(i, values.to())) {
				return rows;
			}
			if (!this.text.isSymbol(i, ',')) {
				throw this.text.refuse(i, "another row or the end is expected here", FORM);
			}
			i++;
		}
	}

	private Range readRow(int opening, int end) {
		if (opening >= end || !this.text.isSymbol(opening, '(')) {
			throw this.text.refuse(opening, "a row in brackets is expected here", FORM);
		}
		for (String query : List.of("SELECT", "WITH", "VALUES", "TABLE")) {
			if (this.text.isWord(opening + 1, query)) {
				throw this.text.refuse(opening + 1, "a query instead of a row", FORM);
			}
		}
		int closing = this.text.closing(opening);
		checkList(opening + 1, closing);
		return new Range(opening + 1, closing);
	}

	/**
	 * Whether this is MySQL's name for the new row.
	 */
	private boolean isRowAlias(int index, int end) {
		return this.text.dialect().hasDuplicateKeys() && this.text.isWord(index, "AS") && index + 2 == end
				&& this.text.isIdentifier(index + 1);
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

	/**
	 * What an INSERT inserts.
	 *
	 * @param columns the list of columns, without its brackets
	 * @param values the rows, without their brackets; empty if a query makes them
	 * @param query the query; null if there are rows
	 */
	record InsertedRows(Range columns, List<Range> values, @Nullable Range query) {
	}

}
