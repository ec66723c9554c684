package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementClauses.Clause;
import dev.fencing.jdbc.StatementClauses.Keyword;
import dev.fencing.jdbc.StatementClauses.Kind;
import dev.fencing.jdbc.StatementClauses.Target;

/**
 * Cuts an INSERT, UPDATE or DELETE into its top-level clauses. Whatever is in brackets,
 * so every sub-select, is none of its business.
 */
final class StatementSplitter {

	private static final Set<Keyword> AFTER_UPDATE = EnumSet.of(Keyword.SET, Keyword.FROM, Keyword.WHERE,
			Keyword.RETURNING, Keyword.ORDER, Keyword.LIMIT, Keyword.OFFSET, Keyword.FETCH);

	private static final Set<Keyword> AFTER_DELETE = EnumSet.of(Keyword.USING, Keyword.WHERE, Keyword.RETURNING,
			Keyword.ORDER, Keyword.LIMIT, Keyword.OFFSET, Keyword.FETCH);

	private static final Set<Keyword> AFTER_INSERT = EnumSet.of(Keyword.SET, Keyword.OVERRIDING, Keyword.DEFAULT,
			Keyword.VALUES, Keyword.SELECT, Keyword.WITH, Keyword.TABLE, Keyword.ON, Keyword.RETURNING);

	private static final String OTHER_TABLES = ", with other tables in a sub-select of the WHERE.";

	/**
	 * What a query may start with behind its WITH.
	 */
	private static final List<String> QUERIES = List.of("SELECT", "VALUES", "TABLE");

	private static final List<String> WRITES = List.of("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE");

	private final SqlText text;

	private int position;

	private int end;

	private StatementSplitter(SqlText text) {
		this.text = text;
	}

	/**
	 * Split a statement.
	 * @throws UnguardableStatementException if it is not a single INSERT, UPDATE or
	 * DELETE of a table
	 */
	static StatementClauses split(SqlText text) {
		return new StatementSplitter(text).split();
	}

	private StatementClauses split() {
		this.end = endOfSingleStatement();
		refuseHiddenWrites();
		this.position = WithClause.end(this.text, 0, this.end);
		int start = this.position;
		Kind kind = readKind();
		if (start > 0 && !this.text.dialect().hasLeadingWith()) {
			throw refuse(0, "this database has no WITH before " + kind, "Write the queries as sub-selects.");
		}
		Target target = readTarget(kind);
		List<Clause> clauses = switch (kind) {
			case INSERT -> insertClauses();
			case UPDATE -> clauses(AFTER_UPDATE, "Write UPDATE table [alias] SET" + OTHER_TABLES);
			case DELETE -> clauses(AFTER_DELETE, "Write DELETE FROM table [alias] [WHERE ...]" + OTHER_TABLES);
		};
		return new StatementClauses(this.text, kind, start, target, clauses, this.end);
	}

	/**
	 * A data-modifying WITH, or one of H2's delta tables, writes another table than the
	 * statement's own.
	 */
	private void refuseHiddenWrites() {
		for (int i = 2; i < this.end; i++) {
			if (this.text.isSymbol(i - 1, '(')) {
				int first = WithClause.end(this.text, i, this.text.closing(i - 1));
				boolean query = first == i || QUERIES.stream().anyMatch((word) -> this.text.isWord(first, word))
						|| this.text.isSymbol(first, '(');
				boolean write = this.text.isIdentifier(first + 1)
						&& WRITES.stream().anyMatch((word) -> this.text.isWord(first, word));
				if (write || !query) {
					throw refuse(first, "a second write inside the statement, or something that might be one",
							"Send the two one after the other, in one transaction. " + StatementRefusal.PLAIN);
				}
			}
		}
	}

	private int endOfSingleStatement() {
		for (int i = 0; i < this.text.size(); i++) {
			if (this.text.isSymbol(i, ';')) {
				if (i + 1 < this.text.size()) {
					throw refuse(i + 1, "several statements in one string", "Call the helper once for each of them.");
				}
				return i;
			}
		}
		return this.text.size();
	}

	private Kind readKind() {
		int start = this.position;
		if (start == this.end) {
			throw refuse(start, "it is empty", "Give an INSERT, UPDATE or DELETE.");
		}
		if (acceptWord("UPDATE")) {
			return Kind.UPDATE;
		}
		if (acceptWord("DELETE")) {
			if (!acceptWord("FROM")) {
				throw refuse(this.position, "DELETE without FROM",
						"Write DELETE FROM table, with the other tables in a sub-select of the WHERE.");
			}
			return Kind.DELETE;
		}
		if (acceptWord("INSERT")) {
			if (this.text.dialect().hasDuplicateKeys()) {
				// a row that is there stays as it is, so there is nothing to guard
				acceptWord("IGNORE");
			}
			if (!acceptWord("INTO")) {
				throw refuse(this.position, "INSERT without INTO", "Write INSERT INTO table (columns) VALUES (...).");
			}
			return Kind.INSERT;
		}
		throw refuse(start, reasonAgainst(this.text.text(start).toUpperCase(Locale.ROOT)), StatementRefusal.PLAIN);
	}

	private static String reasonAgainst(String word) {
		return switch (word) {
			case "SELECT", "VALUES", "TABLE", "SHOW" -> "it is a query, which belongs in a plain JdbcTemplate";
			case "MERGE", "REPLACE", "UPSERT" -> word + " is not guarded";
			case "CALL", "EXEC", "EXECUTE", "DO", "{", "BEGIN", "DECLARE" ->
				"what a procedure or a block writes cannot be guarded";
			case "TRUNCATE", "CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE" ->
				word + " has no rows whose tokens could be compared";
			default -> "it does not start with INSERT, UPDATE or DELETE";
		};
	}

	private Target readTarget(Kind kind) {
		int from = this.position;
		if (this.text.dialect().hasOnlyTables() && kind != Kind.INSERT) {
			acceptWord("ONLY");
		}
		if (kind == Kind.UPDATE && this.text.dialect().hasDuplicateKeys()
				&& (this.text.isWord(this.position, "IGNORE") || this.text.isWord(this.position, "LOW_PRIORITY"))) {
			throw refuse(this.position, "UPDATE with a modifier", "Leave the modifier out.");
		}
		int first = this.position;
		List<SqlIdentifier> name = new ArrayList<>();
		name.add(readIdentifier());
		while (acceptSymbol('.')) {
			name.add(readIdentifier());
		}
		String sqlName = this.text.text(first, this.position);
		readAlias(kind);
		return new Target(List.copyOf(name), sqlName, this.position - 1, from, this.position);
	}

	private void readAlias(Kind kind) {
		if (acceptWord("AS")) {
			readIdentifier();
			return;
		}
		boolean here = kind != Kind.INSERT && isIdentifierHere()
				&& (this.text.is(this.position, SqlToken.Kind.QUOTED) || keywordAt(this.position) == null)
				&& !this.text.isWord(this.position, "JOIN");
		if (here) {
			readIdentifier();
		}
	}

	private boolean isIdentifierHere() {
		return this.position < this.end && this.text.isIdentifier(this.position);
	}

	private SqlIdentifier readIdentifier() {
		if (!isIdentifierHere()) {
			throw refuse(this.position, "the name of a table is expected here",
					"Name one table, with an alias if you like.");
		}
		return this.text.identifier(this.position++);
	}

	private List<Clause> insertClauses() {
		List<Clause> clauses = new ArrayList<>();
		if (this.position < this.end && this.text.isSymbol(this.position, '(')) {
			int closing = this.text.closing(this.position);
			clauses.add(new Clause(Keyword.COLUMNS, this.position, this.position + 1, closing));
			this.position = closing + 1;
		}
		if (this.text.isSymbol(this.position, '(')
				&& (this.text.isWord(this.position + 1, "SELECT") || this.text.isWord(this.position + 1, "WITH"))) {
			int behind = this.text.closing(this.position) + 1;
			clauses.add(new Clause(Keyword.SELECT, this.position, this.position + 1, behind));
			this.position = behind;
		}
		if (this.position < this.end) {
			clauses.addAll(clauses(AFTER_INSERT, "Write INSERT INTO table (columns) VALUES (...), or SELECT ..."));
		}
		return clauses;
	}

	private List<Clause> clauses(Set<Keyword> keywords, String wayOut) {
		List<Clause> clauses = new ArrayList<>();
		while (this.position < this.end) {
			Keyword keyword = keywordAt(this.position);
			if (keyword == null || !keywords.contains(keyword)) {
				throw refuse(this.position, "this is not expected behind the table", wayOut);
			}
			int start = this.position++;
			int next = nextKeyword(behind(keyword, keywords));
			clauses.add(new Clause(keyword, start, start + 1, next));
			this.position = next;
		}
		return clauses;
	}

	private static Set<Keyword> behind(Keyword keyword, Set<Keyword> keywords) {
		return switch (keyword) {
			case SELECT, WITH, TABLE -> EnumSet.of(Keyword.ON, Keyword.RETURNING);
			case ON -> EnumSet.of(Keyword.RETURNING);
			default -> keywords;
		};
	}

	private int nextKeyword(Set<Keyword> keywords) {
		for (int i = this.position; i < this.end; i++) {
			Keyword keyword = (this.text.token(i).depth() == 0) ? keywordAt(i) : null;
			// SET comes first or not at all, further on it may be the name of a column
			if (keyword != null && keyword != Keyword.SET && keywords.contains(keyword)) {
				return i;
			}
		}
		return this.end;
	}

	/**
	 * Return the keyword at the index, unless it is part of a name or of an expression.
	 */
	private @Nullable Keyword keywordAt(int index) {
		if (!this.text.is(index, SqlToken.Kind.WORD) || this.text.isSymbol(index - 1, '.')) {
			return null;
		}
		for (Keyword keyword : Keyword.values()) {
			if (this.text.isWord(index, keyword.name())) {
				boolean partOfExpression = switch (keyword) {
					case COLUMNS -> true;
					case FROM -> this.text.isWord(index - 1, "DISTINCT");
					case DEFAULT -> !this.text.isWord(index + 1, "VALUES");
					case ON -> !isConflictClause(index);
					case TABLE, SET, SELECT, USING, WITH, OVERRIDING, WHERE, RETURNING, ORDER, LIMIT, OFFSET, FETCH,
							VALUES ->
						false;
				};
				return partOfExpression ? null : keyword;
			}
		}
		return null;
	}

	/**
	 * Whether the ON is no join's.
	 */
	private boolean isConflictClause(int index) {
		if (this.text.isWord(index + 1, "DUPLICATE")) {
			return this.text.isWord(index + 2, "KEY");
		}
		return this.text.isWord(index + 1, "CONFLICT") && (this.text.isSymbol(index + 2, '(')
				|| this.text.isWord(index + 2, "DO") || this.text.isWord(index + 2, "ON"));
	}

	private boolean acceptWord(String word) {
		boolean here = this.position < this.end && this.text.isWord(this.position, word);
		if (here) {
			this.position++;
		}
		return here;
	}

	private boolean acceptSymbol(char symbol) {
		boolean here = this.position < this.end && this.text.isSymbol(this.position, symbol);
		if (here) {
			this.position++;
		}
		return here;
	}

	private UnguardableStatementException refuse(int index, String reason, String wayOut) {
		return this.text.refuse(index, reason, wayOut);
	}

}
