package dev.fencing.jdbc;

import java.util.stream.IntStream;

/**
 * Puts a text together from pieces of a statement and from pieces of ours, and keeps
 * account of the placeholders.
 */
final class BoundSqlBuilder {

	/**
	 * The place of a token in text of ours: a character that no statement holds, since
	 * names are taken over from there.
	 */
	static final String TOKEN = "\0";

	private final SqlText text;

	private final StringBuilder sql;

	private final IntStream.Builder slots = IntStream.builder();

	BoundSqlBuilder(SqlText text) {
		this.text = text;
		this.sql = new StringBuilder(text.sql().length() + 96);
	}

	/**
	 * Append text of ours.
	 * @param slot what goes into the place of each {@link #TOKEN} in it
	 */
	BoundSqlBuilder append(String ours, int slot) {
		this.sql.append(ours.replace(TOKEN, "?"));
		ours.chars().filter((c) -> c == TOKEN.charAt(0)).forEach((c) -> this.slots.add(slot));
		return this;
	}

	/**
	 * Append text of ours that has no placeholder.
	 */
	BoundSqlBuilder append(String ours) {
		this.sql.append(ours);
		return this;
	}

	/**
	 * Append a part of the statement, from the first to the last token of a range, with
	 * what is between them.
	 */
	BoundSqlBuilder append(int fromToken, int toToken) {
		if (fromToken < toToken) {
			copy(this.text.token(fromToken).start(), this.text.token(toToken - 1).end(), fromToken);
		}
		return this;
	}

	/**
	 * Append a part of the statement.
	 * @param start the offset of its first character
	 * @param end the offset behind its last one
	 * @param token the index of a token that is not behind the first one of the part
	 * @return the index of the first token behind the part
	 */
	int copy(int start, int end, int token) {
		int copied = start;
		int next = token;
		for (; next < this.text.size() && this.text.token(next).start() < end; next++) {
			SqlToken placeholder = this.text.token(next);
			if (placeholder.start() < start) {
				continue;
			}
			if (placeholder.kind() == SqlToken.Kind.PLACEHOLDER) {
				this.slots.add(placeholder.argument());
			}
			else if (placeholder.kind() == SqlToken.Kind.TOKEN_PLACEHOLDER) {
				this.sql.append(this.text.sql(), copied, placeholder.start()).append('?');
				this.slots.add(BoundSql.TOKEN);
				copied = placeholder.end();
			}
		}
		this.sql.append(this.text.sql(), copied, end);
		return next;
	}

	BoundSql build() {
		return new BoundSql(this.sql.toString(), this.slots.build().toArray());
	}

}
