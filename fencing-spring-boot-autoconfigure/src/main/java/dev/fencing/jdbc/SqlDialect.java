package dev.fencing.jdbc;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.UnguardableStatementException;

/**
 * What the lexer must know about a database and its driver to tell where a literal, a
 * comment or a placeholder ends. In all of them a backslash inside {@code '...'} is an
 * ordinary character, and block comments nest.
 */
enum SqlDialect {

	/**
	 * PostgreSQL with standard conforming strings (the default), through pgjdbc.
	 */
	POSTGRESQL(true, true, false, false, true, true),

	/**
	 * H2.
	 */
	H2(false, false, true, true, false, false);

	private final boolean escapeStrings;

	private final boolean dollarTags;

	private final boolean backticks;

	private final boolean slashComments;

	private final boolean questionMarkEscapes;

	private final boolean onlyTables;

	SqlDialect(boolean escapeStrings, boolean dollarTags, boolean backticks, boolean slashComments,
			boolean questionMarkEscapes, boolean onlyTables) {
		this.escapeStrings = escapeStrings;
		this.dollarTags = dollarTags;
		this.backticks = backticks;
		this.slashComments = slashComments;
		this.questionMarkEscapes = questionMarkEscapes;
		this.onlyTables = onlyTables;
	}

	/**
	 * Ask the database what it is.
	 * @throws UnguardableStatementException if it is none of these, or reads literals
	 * differently
	 */
	static SqlDialect of(JdbcOperations jdbc) {
		String product = jdbc
			.execute((ConnectionCallback<String>) (connection) -> connection.getMetaData().getDatabaseProductName());
		if ("H2".equals(product)) {
			return H2;
		}
		if (!"PostgreSQL".equals(product)) {
			throw new UnguardableStatementException(
					"Statements for '%s' are not guarded. %s".formatted(product, StatementRefusal.BY_HAND));
		}
		if (!"on".equals(jdbc.queryForObject("show standard_conforming_strings", String.class))) {
			throw new UnguardableStatementException("""
					Statements are guarded only if standard_conforming_strings is on, as it is by default: \
					otherwise nobody can tell where a literal ends""");
		}
		return POSTGRESQL;
	}

	/**
	 * Whether {@code E'...'} is one literal, with backslash escapes.
	 */
	boolean hasEscapeStrings() {
		return this.escapeStrings;
	}

	/**
	 * Whether {@code $tag$...$tag$} is a literal, and not only {@code $$...$$}.
	 */
	boolean hasDollarTags() {
		return this.dollarTags;
	}

	/**
	 * Whether backticks quote an identifier.
	 */
	boolean hasBackticks() {
		return this.backticks;
	}

	/**
	 * Whether {@code //} starts a comment.
	 */
	boolean hasSlashComments() {
		return this.slashComments;
	}

	/**
	 * Whether {@code ??} is the driver's way to write the operator {@code ?}.
	 */
	boolean hasQuestionMarkEscapes() {
		return this.questionMarkEscapes;
	}

	/**
	 * Whether {@code ONLY} may stand before the name of a table.
	 */
	boolean hasOnlyTables() {
		return this.onlyTables;
	}

}
