package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.SqlText.Range;

/**
 * Finds the select lists of the query of an INSERT: one, or several where it is a union.
 */
final class SelectLists {

	private static final String[] BEHIND_LIST = { "FROM", "WHERE", "GROUP", "HAVING", "WINDOW", "UNION", "INTERSECT",
			"EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "INTO" };

	private static final String[] SET_OPERATORS = { "UNION", "INTERSECT", "EXCEPT", "MINUS" };

	private final SqlText text;

	private SelectLists(SqlText text) {
		this.text = text;
	}

	/**
	 * Find the lists.
	 * @throws UnguardableStatementException if the query is not made of SELECTs
	 */
	static List<Range> find(SqlText text, Range query) {
		boolean inBrackets = text.isSymbol(query.from(), '(') && text.closing(query.from()) == query.to() - 1;
		return new SelectLists(text).find(inBrackets ? new Range(query.from() + 1, query.to() - 1) : query);
	}

	private List<Range> find(Range query) {
		List<Range> lists = new ArrayList<>();
		int i = WithClause.end(this.text, query.from(), query.to());
		while (true) {
			if (i >= query.to() || !this.text.isWord(i, "SELECT")) {
				throw refuse(i, "SELECT is expected here");
			}
			i = behindQuantifier(i + 1);
			int end = endOfList(i, query.to());
			if (end == i || this.text.isSymbol(end - 1, ',')) {
				throw refuse(end, "something is missing in this list");
			}
			lists.add(new Range(i, end));
			i = this.text.find(end, query.to(), SET_OPERATORS);
			if (this.text.list(end, Math.min(i, this.text.find(end, query.to(), "FROM"))).size() > 1) {
				// That word was an alias then, and the list goes on
				throw refuse(end, "a column or an alias that is called like a clause");
			}
			if (i == query.to()) {
				return lists;
			}
			i += (this.text.isWord(i + 1, "ALL") || this.text.isWord(i + 1, "DISTINCT")) ? 2 : 1;
		}
	}

	private int behindQuantifier(int index) {
		int i = index;
		if (this.text.isWord(i, "ALL")) {
			i++;
		}
		else if (this.text.isWord(i, "DISTINCT")) {
			i++;
			if (this.text.isWord(i, "ON") && this.text.isSymbol(i + 1, '(')) {
				i = this.text.closing(i + 1) + 1;
			}
		}
		return i;
	}

	private int endOfList(int from, int to) {
		int end = this.text.find(from, to, BEHIND_LIST);
		while (end < to && this.text.isWord(end, "FROM") && this.text.isWord(end - 1, "DISTINCT")) {
			end = (end + 1 < to) ? this.text.find(end + 1, to, BEHIND_LIST) : to;
		}
		return end;
	}

	private UnguardableStatementException refuse(int index, String reason) {
		return this.text.refuse(index, reason,
				"Write INSERT INTO table (columns) SELECT ..., without brackets around its parts. "
						+ StatementRefusal.PLAIN);
	}

}
