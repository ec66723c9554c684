package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A single statement, cut into its top-level clauses.
 *
 * @param text the statement
 * @param kind what it does
 * @param start the index of its first token behind a leading WITH
 * @param target the table that it writes
 * @param clauses the clauses behind the target, in order
 * @param end the index behind the last token, a trailing semicolon not counted
 */
record StatementClauses(SqlText text, Kind kind, int start, Target target, List<Clause> clauses, int end) {

	@Nullable Clause find(Keyword keyword) {
		for (Clause clause : this.clauses) {
			if (clause.keyword() == keyword) {
				return clause;
			}
		}
		return null;
	}

	/**
	 * Return the clause with the tables that it only reads; null if there is none.
	 */
	@Nullable Clause otherTables() {
		Clause from = find(Keyword.FROM);
		return (from != null) ? from : find(Keyword.USING);
	}

	/**
	 * Return a column of the target with the name of its table.
	 */
	String qualified(String column) {
		return targetReference() + "." + column;
	}

	/**
	 * Return a column of the target, with the name of its table where there are others.
	 */
	String unambiguous(String column) {
		return (otherTables() != null) ? qualified(column) : column;
	}

	/**
	 * Return the name by which the statement calls the rows of its target.
	 */
	String targetReference() {
		return this.text.text(this.target.reference());
	}

	/**
	 * What a statement does.
	 */
	enum Kind {

		INSERT, UPDATE, DELETE

	}

	/**
	 * The words that start a clause.
	 */
	enum Keyword {

		SET, FROM, USING, WHERE, RETURNING, ORDER, LIMIT, OFFSET, FETCH, COLUMNS, OVERRIDING, DEFAULT, VALUES, SELECT,
		WITH, TABLE, ON

	}

	/**
	 * A clause.
	 *
	 * @param keyword the word that starts it; {@link Keyword#COLUMNS} starts with its
	 * bracket
	 * @param start the index of its first token, the keyword
	 * @param from the index of its first token behind the keyword
	 * @param to the index behind its last token
	 */
	record Clause(Keyword keyword, int start, int from, int to) {
	}

	/**
	 * The table that a statement writes.
	 *
	 * @param name the parts of its name: catalog and schema are optional
	 * @param sqlName its name as the statement has it
	 * @param reference the index of its alias, or else of the last part of its name
	 * @param from the index of the first token of name and alias
	 * @param to the index behind the last one
	 */
	record Target(List<SqlIdentifier> name, String sqlName, int reference, int from, int to) {
	}

}
