package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.UnguardableStatementException;

/**
 * A statement and its tokens.
 *
 * @param sql the statement as the application gave it
 * @param dialect how it was read
 * @param tokens its tokens in order
 * @param backslashMatters whether it was read with backslash escapes, and would be
 * another one without
 */
record SqlText(String sql, SqlDialect dialect, List<SqlToken> tokens, boolean backslashMatters) {

	int size() {
		return this.tokens.size();
	}

	SqlToken token(int index) {
		return this.tokens.get(index);
	}

	String text(int index) {
		SqlToken token = token(index);
		return this.sql.substring(token.start(), token.end());
	}

	boolean is(int index, SqlToken.Kind kind) {
		return index >= 0 && index < size() && token(index).kind() == kind;
	}

	/**
	 * Whether the token is this keyword, as far as its text tells.
	 */
	boolean isWord(int index, String word) {
		if (!is(index, SqlToken.Kind.WORD)) {
			return false;
		}
		SqlToken token = token(index);
		return token.end() - token.start() == word.length()
				&& this.sql.regionMatches(true, token.start(), word, 0, word.length());
	}

	boolean isSymbol(int index, char symbol) {
		if (!is(index, SqlToken.Kind.SYMBOL)) {
			return false;
		}
		SqlToken token = token(index);
		return token.end() - token.start() == 1 && this.sql.charAt(token.start()) == symbol;
	}

	boolean isIdentifier(int index) {
		return is(index, SqlToken.Kind.WORD) || is(index, SqlToken.Kind.QUOTED);
	}

	SqlIdentifier identifier(int index) {
		SqlToken token = token(index);
		if (token.kind() == SqlToken.Kind.WORD) {
			return new SqlIdentifier(text(index), false);
		}
		if (token.kind() == SqlToken.Kind.STRING_OR_NAME) {
			// Called an identifier only where it matters that it might be one
			return new SqlIdentifier(this.sql.substring(token.start() + 1, token.end() - 1), true);
		}
		String quote = this.sql.substring(token.start(), token.start() + 1);
		return new SqlIdentifier(this.sql.substring(token.start() + 1, token.end() - 1).replace(quote + quote, quote),
				true);
	}

	/**
	 * Return the index of the bracket that closes the one at the index.
	 */
	int closing(int index) {
		int depth = token(index).depth();
		int closing = index + 1;
		while (token(closing).depth() > depth) {
			closing++;
		}
		return closing;
	}

	/**
	 * Return how many arguments the statement wants of the application.
	 */
	int arguments() {
		return (int) this.tokens.stream().filter((token) -> token.argument() >= 0).count();
	}

	/**
	 * Return the text from the first to the last token of a range, with what is between
	 * them.
	 */
	String text(int from, int to) {
		return this.sql.substring(token(from).start(), token(to - 1).end());
	}

	/**
	 * Return the index of the first of these words in a range, on the level of its first
	 * token; or the end of the range.
	 */
	int find(int from, int to, String... words) {
		int depth = (from < to) ? token(from).depth() : 0;
		for (int i = from; i < to; i++) {
			if (token(i).depth() == depth && !isSymbol(i - 1, '.')) {
				for (String word : words) {
					if (isWord(i, word)) {
						return i;
					}
				}
			}
		}
		return to;
	}

	/**
	 * Return the ranges between the commas of a range, on the level of its first token.
	 */
	List<Range> list(int from, int to) {
		List<Range> list = new ArrayList<>();
		int start = from;
		for (int i = from; i < to; i++) {
			if (token(i).depth() == token(from).depth() && isSymbol(i, ',')) {
				list.add(new Range(start, i));
				start = i + 1;
			}
		}
		list.add(new Range(start, to));
		return list;
	}

	/**
	 * Create the exception that refuses the statement because of a token; an index behind
	 * the last one means the end.
	 */
	UnguardableStatementException refuse(int index, String reason, String wayOut) {
		int offset = (index < size()) ? token(index).start() : this.sql.length();
		return StatementRefusal.at(this.sql, offset, reason, wayOut);
	}

	/**
	 * A range of tokens.
	 *
	 * @param from the index of its first token
	 * @param to the index behind its last token
	 */
	record Range(int from, int to) {

		boolean isEmpty() {
			return this.from >= this.to;
		}

		int size() {
			return this.to - this.from;
		}

	}

}
