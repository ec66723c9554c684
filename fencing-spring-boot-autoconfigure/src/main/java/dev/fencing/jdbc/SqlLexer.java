package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

import dev.fencing.UnguardableStatementException;

/**
 * Cuts a statement into tokens. It has to find the end of every literal, comment and
 * quoted identifier exactly where the driver and the database find it; wherever these two
 * might differ, or where a setting of the server would decide, the statement is refused.
 */
final class SqlLexer {

	private static final Pattern NUMBER = Pattern
		.compile("0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*(\\.[0-9_]*)?([eE][+-]?[0-9_]+)?");

	private static final String SYMBOLS = "+-*/<>=~!@#%^&|.,;:()[]{}";

	/**
	 * The characters behind which pgjdbc, too, takes {@code E'} for an escape string.
	 */
	private static final String BEFORE_ESCAPE_STRING = " \t\n\r\f\",()[].;:+-*/%^<>=~!@#&|?";

	/**
	 * The name of the parameter that is bound to the fencing token.
	 */
	static final String TOKEN_PARAMETER = "fencingToken";

	private final String sql;

	private final SqlDialect dialect;

	private final SqlComments comments;

	private final List<SqlToken> tokens = new ArrayList<>();

	private final List<SqlToken> open = new ArrayList<>();

	private final Collection<Integer> tokenParameters;

	private int position;

	private int placeholders;

	private int arguments;

	private boolean backslashMatters;

	private SqlLexer(String sql, SqlDialect dialect, Collection<Integer> tokenParameters) {
		this.sql = sql;
		this.dialect = dialect;
		this.comments = new SqlComments(sql, dialect);
		this.tokenParameters = tokenParameters;
	}

	/**
	 * Read a statement.
	 * @param sql its text
	 * @param dialect how to read it
	 * @param tokenParameters which placeholders stand for the fencing token
	 * @throws UnguardableStatementException if its tokens cannot be told for certain
	 */
	static SqlText read(String sql, SqlDialect dialect, Collection<Integer> tokenParameters) {
		SqlLexer lexer = new SqlLexer(sql, dialect, tokenParameters);
		lexer.readAll();
		return new SqlText(sql, dialect, List.copyOf(lexer.tokens), lexer.backslashMatters);
	}

	private void readAll() {
		if (this.sql.indexOf('\0') >= 0) {
			throw refuse(this.sql.indexOf('\0'), "a character U+0000", "Bind the text that it belongs to.");
		}
		while (this.position < this.sql.length()) {
			readNext();
		}
		if (!this.open.isEmpty()) {
			SqlToken bracket = this.open.get(this.open.size() - 1);
			throw refuse(bracket.start(), "this bracket is not closed", "Correct the statement.");
		}
	}

	private void readNext() {
		char c = this.sql.charAt(this.position);
		switch (c) {
			case ' ', '\t', '\n', '\r', '\f' -> this.position++;
			case '\'' -> readString();
			case '"' -> readDoubleQuote();
			case '`' -> readBacktick();
			case '$' -> readDollar();
			case '?' -> readQuestionMark();
			case ':' -> readColon();
			case '(', '[', '{' -> readOpening(c);
			case ')', ']', '}' -> readClosing(c);
			case ';' -> readSemicolon();
			default -> {
				if (this.comments.startsAt(this.position)) {
					this.position = this.comments.end(this.position);
				}
				else if (c >= '0' && c <= '9') {
					readNumber();
				}
				else if (isWordStart(this.position)) {
					readWord();
				}
				else if (SYMBOLS.indexOf(c) >= 0 && (c != '#' || this.dialect.hasHashOperators())) {
					add(SqlToken.Kind.SYMBOL, this.position + 1);
				}
				else {
					throw refuse(this.position,
							"the character U+%04X is read differently by databases".formatted((int) c),
							"Leave it out, or put the name that it belongs to in double quotes.");
				}
			}
		}
	}

	private void readString() {
		int end = endOfText('\'');
		if (!this.tokens.isEmpty() && last().kind() == SqlToken.Kind.ESCAPE_STRING
				&& this.sql.substring(this.position, end).indexOf('\\') >= 0) {
			// PostgreSQL goes on with escapes across a line break, pgjdbc does not
			throw refuse(this.position, "this literal continues an E'...' literal and holds a backslash",
					"Write it as one literal, or bind it to a placeholder.");
		}
		add(SqlToken.Kind.STRING, end);
	}

	/**
	 * MySQL takes it for an identifier with ANSI_QUOTES, else for a text.
	 */
	private void readDoubleQuote() {
		if (this.dialect.hasBackslashEscapes()) {
			add(SqlToken.Kind.STRING_OR_NAME, endOfText('"'));
		}
		else {
			add(SqlToken.Kind.QUOTED, endOfQuoted(this.position, '"', "this quoted identifier"));
		}
	}

	/**
	 * Return where a text ends that is no escape string by itself.
	 */
	private int endOfText(char quote) {
		if (!this.dialect.hasBackslashEscapes()) {
			return endOfQuoted(this.position, quote, "this literal");
		}
		int end = endOfEscaped(this.position, quote);
		this.backslashMatters |= closing(this.position, quote) != end;
		return end;
	}

	private void readEscapeString(int start) {
		this.position = start;
		int end = endOfEscaped(start + 1, '\'');
		if (this.sql.substring(start, end).indexOf('\\') >= 0
				&& (start == 0 || BEFORE_ESCAPE_STRING.indexOf(this.sql.charAt(start - 1)) < 0)) {
			throw refuse(start, "driver and database read this E'...' literal differently", "Put a blank before it.");
		}
		add(SqlToken.Kind.ESCAPE_STRING, end);
	}

	private int endOfEscaped(int start, char quote) {
		int i = start + 1;
		while (true) {
			if (i >= this.sql.length()) {
				throw refuse(start, "this literal is not closed", "Close it, or bind it to a placeholder.");
			}
			char c = this.sql.charAt(i);
			if (c == '\\' || (c == quote && at(i + 1) == quote)) {
				i += 2;
			}
			else if (c == quote) {
				return i + 1;
			}
			else {
				i++;
			}
		}
	}

	private int endOfQuoted(int start, char quote, String what) {
		int end = closing(start, quote);
		if (end < 0) {
			throw refuse(start, what + " is not closed", "Close it.");
		}
		return end;
	}

	/**
	 * Return the offset behind the closing quote, or -1.
	 */
	private int closing(int start, char quote) {
		int end = start;
		do {
			// a doubled quote belongs to the text
			end = this.sql.indexOf(quote, end + 1) + 1;
		}
		while (end > 0 && at(end) == quote);
		return (end > 0) ? end : -1;
	}

	private void readBacktick() {
		if (!this.dialect.hasBackticks()) {
			throw refuse(this.position, "a backtick is no quote in this database", "Use double quotes.");
		}
		add(SqlToken.Kind.QUOTED, endOfQuoted(this.position, '`', "this quoted identifier"));
	}

	private void readDollar() {
		int start = this.position;
		int tagEnd = start + 1;
		if (!this.dialect.hasDollarQuotes()) {
			throw refuse(start, "a name that starts with '$'", "Put it in backticks.");
		}
		if (this.dialect.hasDollarTags() && isWordStart(tagEnd)) {
			while (isWordPart(tagEnd) && at(tagEnd) != '$') {
				tagEnd += Character.charCount(this.sql.codePointAt(tagEnd));
			}
		}
		if (at(tagEnd) != '$') {
			throw refuse(start, "a parameter or a name that starts with '$'",
					"Write '?' for parameters, and put such a name in double quotes.");
		}
		String tag = this.sql.substring(start, tagEnd + 1);
		int end = this.sql.indexOf(tag, tagEnd + 1);
		if (end < 0) {
			throw refuse(start, "this literal is not closed", "Close it with " + tag + ".");
		}
		add(SqlToken.Kind.STRING, end + tag.length());
	}

	private void readQuestionMark() {
		char next = at(this.position + 1);
		if (next == '?') {
			if (!this.dialect.hasQuestionMarkEscapes()) {
				throw refuse(this.position, "'??' is no operator in this database", "Correct the statement.");
			}
			add(SqlToken.Kind.SYMBOL, this.position + 2);
		}
		else if (next >= '0' && next <= '9') {
			throw refuse(this.position, "a placeholder with a number", "Write '?' and repeat the argument.");
		}
		else {
			addPlaceholder(this.tokenParameters.contains(this.placeholders), this.position + 1);
		}
	}

	private void addPlaceholder(boolean forToken, int end) {
		this.placeholders++;
		SqlToken.Kind kind = forToken ? SqlToken.Kind.TOKEN_PLACEHOLDER : SqlToken.Kind.PLACEHOLDER;
		this.tokens.add(new SqlToken(kind, this.position, end, this.open.size(), forToken ? -1 : this.arguments++));
		this.position = end;
	}

	private void readColon() {
		if (at(this.position + 1) == ':') {
			add(SqlToken.Kind.SYMBOL, this.position + 2);
			return;
		}
		int tokenEnd = this.position + 1 + TOKEN_PARAMETER.length();
		if (this.sql.startsWith(TOKEN_PARAMETER, this.position + 1) && !isWordPart(tokenEnd)) {
			addPlaceholder(true, tokenEnd);
			return;
		}
		if (isWordStart(this.position + 1) && !insideSquareBrackets() && !continuesOperand()) {
			throw refuse(this.position, "a named parameter in a statement with positional ones",
					"Write '?' and give the arguments in order.");
		}
		add(SqlToken.Kind.SYMBOL, this.position + 1);
	}

	private boolean insideSquareBrackets() {
		return !this.open.isEmpty() && this.sql.charAt(this.open.get(this.open.size() - 1).start()) == '[';
	}

	/**
	 * Whether the colon directly follows a key, as in {@code json_object('k':v)}.
	 */
	private boolean continuesOperand() {
		if (this.tokens.isEmpty()) {
			return false;
		}
		SqlToken last = last();
		return last.kind() == SqlToken.Kind.STRING
				|| (last.end() == this.position && last.kind() != SqlToken.Kind.SYMBOL && !this.open.isEmpty());
	}

	private void readOpening(char c) {
		if (c == '[' && !isSubscript()) {
			throw refuse(this.position, "a square bracket that may quote a name",
					"Use double quotes for names, and put a subscript directly behind its operand.");
		}
		add(SqlToken.Kind.SYMBOL, this.position + 1);
		this.open.add(last());
	}

	private boolean isSubscript() {
		if (this.tokens.isEmpty()) {
			return false;
		}
		SqlToken last = last();
		boolean array = this.sql.substring(last.start(), last.end()).equalsIgnoreCase("array");
		if (last.kind() == SqlToken.Kind.SYMBOL) {
			char before = this.sql.charAt(last.start());
			return (last.end() == this.position && (before == ')' || before == ']'))
					|| (insideSquareBrackets() && (before == '[' || before == ','));
		}
		return array || last.end() == this.position;
	}

	private void readClosing(char c) {
		if (this.open.isEmpty()) {
			throw refuse(this.position, "nothing is open that this bracket could close", "Correct the statement.");
		}
		SqlToken opening = this.open.remove(this.open.size() - 1);
		if ("([{".indexOf(this.sql.charAt(opening.start())) != ")]}".indexOf(c)) {
			throw refuse(this.position, "this bracket does not match the one that is open", "Correct the statement.");
		}
		add(SqlToken.Kind.SYMBOL, this.position + 1);
	}

	private void readSemicolon() {
		if (!this.open.isEmpty()) {
			throw refuse(this.position, "a ';' inside brackets", "Correct the statement.");
		}
		add(SqlToken.Kind.SYMBOL, this.position + 1);
	}

	private void readNumber() {
		int end = this.position + 1;
		while (isWordPart(end) || at(end) == '.' || isSignOfExponent(end)) {
			end++;
		}
		if (!NUMBER.matcher(this.sql).region(this.position, end).matches()) {
			throw refuse(this.position, "a number and a word without a blank between them", "Put a blank between.");
		}
		add(SqlToken.Kind.NUMBER, end);
	}

	private boolean isSignOfExponent(int index) {
		char c = at(index);
		char before = at(index - 1);
		char next = at(index + 1);
		return (c == '+' || c == '-') && (before == 'e' || before == 'E') && next >= '0' && next <= '9'
				&& at(this.position + 1) != 'x' && at(this.position + 1) != 'X';
	}

	private void readWord() {
		int start = this.position;
		int end = start;
		while (isWordPart(end)) {
			end += Character.charCount(this.sql.codePointAt(end));
		}
		if (end - start == 1) {
			char letter = Character.toLowerCase(this.sql.charAt(start));
			if (letter == 'e' && at(end) == '\'' && this.dialect.hasEscapeStrings()) {
				readEscapeString(start);
				return;
			}
			if (letter == 'u' && at(end) == '&' && at(end + 1) == '"') {
				throw refuse(start, "an identifier with Unicode escapes", "Write its characters themselves.");
			}
		}
		add(SqlToken.Kind.WORD, end);
	}

	private boolean isWordStart(int index) {
		char c = at(index);
		if (c < 128) {
			return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		}
		int codePoint = this.sql.codePointAt(index);
		return Character.isJavaIdentifierStart(codePoint) && !Character.isIdentifierIgnorable(codePoint);
	}

	private boolean isWordPart(int index) {
		char c = at(index);
		if (c < 128) {
			return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
		}
		int codePoint = this.sql.codePointAt(index);
		return Character.isJavaIdentifierPart(codePoint) && !Character.isIdentifierIgnorable(codePoint);
	}

	private char at(int index) {
		return (index < this.sql.length()) ? this.sql.charAt(index) : '\0';
	}

	private SqlToken last() {
		return this.tokens.get(this.tokens.size() - 1);
	}

	private void add(SqlToken.Kind kind, int end) {
		this.tokens.add(new SqlToken(kind, this.position, end, this.open.size(), -1));
		this.position = end;
	}

	private UnguardableStatementException refuse(int offset, String reason, String wayOut) {
		return StatementRefusal.at(this.sql, offset, reason, wayOut);
	}

}
