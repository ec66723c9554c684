package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is put into a statement. Every insertion is made directly before or behind a
 * token, so that no comment can swallow it.
 */
final class Splices {

	private final SqlText text;

	private final List<Splice> splices = new ArrayList<>();

	Splices(SqlText text) {
		this.text = text;
	}

	/**
	 * Insert text before a token.
	 * @param inserted the text, with {@link BoundSqlBuilder#TOKEN} for the token
	 */
	void before(int token, String inserted) {
		this.splices.add(new Splice(this.text.token(token).start(), inserted));
	}

	/**
	 * Insert text behind a token.
	 * @param inserted the text, with {@link BoundSqlBuilder#TOKEN} for the token
	 */
	void behind(int token, String inserted) {
		int offset = this.text.token(token).end();
		boolean apart = offset == this.text.sql().length()
				|| " \t\r\n\f),;".indexOf(this.text.sql().charAt(offset)) >= 0;
		this.splices.add(new Splice(offset, apart ? inserted : inserted + " "));
	}

	/**
	 * Return them in the order of the text.
	 */
	List<Splice> inOrder() {
		this.splices.sort(Comparator.comparingInt(Splice::offset));
		return List.copyOf(this.splices);
	}

	/**
	 * Return the statement with all of them in it.
	 */
	BoundSql apply() {
		BoundSqlBuilder result = new BoundSqlBuilder(this.text);
		int copied = 0;
		int token = 0;
		for (Splice splice : inOrder()) {
			token = result.copy(copied, splice.offset(), token);
			copied = splice.offset();
			result.append(splice.inserted(), BoundSql.TOKEN);
		}
		result.copy(copied, this.text.sql().length(), token);
		return result.build();
	}

	/**
	 * Text that is put into the statement.
	 *
	 * @param offset where, in the text as the application gave it
	 * @param inserted the text, with {@link BoundSqlBuilder#TOKEN} for the token
	 */
	record Splice(int offset, String inserted) {
	}

}
