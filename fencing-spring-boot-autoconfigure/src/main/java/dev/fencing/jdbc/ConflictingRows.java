package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.InsertGuard.InsertedRows;
import dev.fencing.jdbc.SqlText.Range;

/**
 * Makes the query for the rows that an INSERT ... ON CONFLICT DO UPDATE must not update:
 * those whose conflicting columns have the values that it inserts.
 */
final class ConflictingRows {

	private static final String SOURCE = "fencing_source";

	private final StatementClauses clauses;

	private final SqlText text;

	private final ConflictClause conflict;

	private final InsertedRows rows;

	private final String token;

	private final BoundSqlBuilder query;

	private ConflictingRows(StatementClauses clauses, ConflictClause conflict, InsertedRows rows, String token) {
		this.clauses = clauses;
		this.text = clauses.text();
		this.conflict = conflict;
		this.rows = rows;
		this.token = token;
		this.query = new BoundSqlBuilder(this.text);
	}

	/**
	 * Make the query.
	 * @param token the token column with the name of its table
	 * @throws UnguardableStatementException if the values are not in the statement
	 */
	static LockingQuery query(StatementClauses clauses, ConflictClause conflict, InsertedRows rows, String token) {
		return new ConflictingRows(clauses, conflict, rows, token).query();
	}

	private LockingQuery query() {
		LockingQuery.start(this.query, this.clauses, this.token);
		Range source = this.rows.query();
		boolean readsOtherRows = this.clauses.start() > 0;
		if (source != null) {
			appendSource(source);
			this.query.append(" where (");
			appendJoin();
			readsOtherRows = true;
		}
		else {
			this.query.append(" where (");
			readsOtherRows |= appendRows();
		}
		this.query.append(")");
		Range predicate = this.conflict.predicate();
		if (predicate != null) {
			this.query.append(" and (").append(predicate.from(), predicate.to()).append(")");
		}
		this.query.append(" and ").append(LockingQuery.refused(this.token), BoundSql.LEAST);
		this.query.append(" for update of " + this.clauses.targetReference());
		return new LockingQuery(this.query.build(), readsOtherRows);
	}

	/**
	 * The query is made one of a union with the target, whose columns give untyped values
	 * their types, as they do in the INSERT.
	 */
	private void appendSource(Range source) {
		Range columns = this.rows.columns();
		int count = this.text.list(columns.from(), columns.to()).size();
		this.query.append(", (select ").append(columns.from(), columns.to());
		this.query.append(" from " + this.clauses.target().sqlName() + " where false union all (");
		this.query.append(source.from(), source.to()).append(")) " + SOURCE + " (");
		this.query
			.append(IntStream.range(0, count).mapToObj(ConflictingRows::sourceColumn).collect(Collectors.joining(", ")))
			.append(")");
	}

	private static String sourceColumn(int place) {
		return "fencing_" + (place + 1);
	}

	private void appendJoin() {
		String separator = "";
		for (Range column : this.conflict.columns()) {
			String name = this.clauses.qualified(this.text.text(column.from()));
			this.query.append("%s%s = %s.%s".formatted(separator, name, SOURCE, sourceColumn(place(column))));
			separator = " and ";
		}
	}

	private boolean appendRows() {
		boolean readsOtherRows = false;
		List<Integer> places = new ArrayList<>();
		this.conflict.columns().forEach((column) -> places.add(place(column)));
		String separator = "(";
		for (Range row : this.rows.values()) {
			List<Range> values = this.text.list(row.from(), row.to());
			for (int i = 0; i < places.size(); i++) {
				Range value = value(values, places.get(i), row);
				readsOtherRows |= LockingQuery.reads(this.text, value.from(), value.to());
				String column = this.text.text(this.conflict.columns().get(i).from());
				this.query.append(separator + this.clauses.qualified(column) + " = ").append(value.from(), value.to());
				separator = " and ";
			}
			separator = ") or (";
		}
		this.query.append(")");
		return readsOtherRows;
	}

	private Range value(List<Range> values, int place, Range row) {
		if (place >= values.size()) {
			throw this.text.refuse(row.to(), "a row has fewer values than there are columns", "Correct the statement.");
		}
		Range value = values.get(place);
		if (value.isEmpty() || this.text.isWord(value.from(), "DEFAULT")) {
			throw this.text.refuse(value.from(), "the value of a column that may conflict is not given",
					"Give a value for each column that ON CONFLICT names.");
		}
		return value;
	}

	/**
	 * Return the place of a column in the column list.
	 */
	private int place(Range column) {
		List<Range> columns = this.text.list(this.rows.columns().from(), this.rows.columns().to());
		String wanted = folded(column);
		for (int i = 0; i < columns.size(); i++) {
			if (columns.get(i).size() == 1 && this.text.isIdentifier(columns.get(i).from())
					&& folded(columns.get(i)).equals(wanted)) {
				return i;
			}
		}
		throw this.text.refuse(column.from(), "a column that may conflict is not in the column list",
				"Give a value for each column that ON CONFLICT names.");
	}

	private String folded(Range column) {
		return this.text.identifier(column.from()).folded(this.text.dialect());
	}

}
