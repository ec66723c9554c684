package dev.fencing.jdbc;

/**
 * Finds the end of comments.
 */
final class SqlComments {

	private final String sql;

	private final SqlDialect dialect;

	SqlComments(String sql, SqlDialect dialect) {
		this.sql = sql;
		this.dialect = dialect;
	}

	/**
	 * Return whether a comment starts at the offset.
	 */
	boolean startsAt(int offset) {
		return startsLineComment(offset) || this.sql.startsWith("/*", offset);
	}

	/**
	 * Return the offset behind the comment that starts at the offset.
	 */
	int end(int offset) {
		return startsLineComment(offset) ? endOfLine(offset) : endOfBlock(offset);
	}

	private boolean startsLineComment(int offset) {
		return this.sql.startsWith("--", offset)
				|| (this.sql.startsWith("//", offset) && this.dialect.hasSlashComments())
				|| (this.sql.startsWith("#", offset) && this.dialect.hasHashComments());
	}

	private int endOfLine(int start) {
		if (this.dialect.hasHashComments() && this.sql.startsWith("--", start) && start + 2 < this.sql.length()
				&& this.sql.charAt(start + 2) > ' ') {
			// MySQL takes it for two minus signs, some drivers for a comment
			throw StatementRefusal.at(this.sql, start, "'--' without a blank behind it is no comment in this database",
					"Put a blank behind it, or between the two signs.");
		}
		int end = start;
		while (end < this.sql.length() && this.sql.charAt(end) != '\n' && this.sql.charAt(end) != '\r') {
			end++;
		}
		if (this.dialect.hasHashComments() && this.sql.startsWith("\r", end) && !this.sql.startsWith("\n", end + 1)) {
			// MySQL's comment goes on behind it
			throw StatementRefusal.at(this.sql, end, "a line comment that ends with a carriage return only",
					"End the line with a line feed.");
		}
		return end;
	}

	private int endOfBlock(int start) {
		if (this.sql.startsWith("/", start + 2)) {
			// pgjdbc takes these three for a whole comment, PostgreSQL does not
			throw StatementRefusal.at(this.sql, start,
					"a comment that starts with '/*/' is read differently by driver and database",
					"Put a blank behind '/*'.");
		}
		if (this.dialect.hasBackslashEscapes()
				&& (this.sql.startsWith("!", start + 2) || this.sql.startsWith("M!", start + 2))) {
			throw StatementRefusal.at(this.sql, start, "the server runs what stands in this comment",
					"Write it without the comment, or leave it out.");
		}
		int depth = 1;
		int end = start + 2;
		while (depth > 0) {
			if (end >= this.sql.length()) {
				throw StatementRefusal.at(this.sql, start, "this comment is not closed",
						"Close it with '*/'" + (this.dialect.hasNestedComments() ? "; comments nest." : "."));
			}
			if (this.sql.startsWith("*/", end)) {
				depth--;
				end += 2;
			}
			else if (this.sql.startsWith("/*", end)) {
				if (!this.dialect.hasNestedComments()) {
					throw StatementRefusal.at(this.sql, end, "a comment inside a comment", "Leave it out.");
				}
				depth++;
				end += 2;
			}
			else {
				end++;
			}
		}
		return end;
	}

}
