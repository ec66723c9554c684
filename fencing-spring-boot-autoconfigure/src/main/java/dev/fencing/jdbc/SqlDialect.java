package dev.fencing.jdbc;

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
