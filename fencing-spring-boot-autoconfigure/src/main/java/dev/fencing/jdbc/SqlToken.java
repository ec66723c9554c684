package dev.fencing.jdbc;

/**
 * A piece of a statement that means something; white space and comments are none.
 *
 * @param kind what it is
 * @param start the offset of its first character
 * @param end the offset behind its last character
 * @param depth how many brackets are open around it; a bracket itself has the depth that
 * is around the pair
 * @param argument the index of the argument that goes into a placeholder, else -1
 */
record SqlToken(Kind kind, int start, int end, int depth, int argument) {

	/**
	 * Kinds of tokens.
	 */
	enum Kind {

		/**
		 * A keyword or an identifier without quotes.
		 */
		WORD,

		/**
		 * An identifier in quotes.
		 */
		QUOTED,

		/**
		 * A string literal of any style.
		 */
		STRING,

		/**
		 * A string literal with backslash escapes.
		 */
		ESCAPE_STRING,

		/**
		 * What MySQL takes for a string literal or for an identifier, as its mode says.
		 */
		STRING_OR_NAME,

		/**
		 * A number without a sign.
		 */
		NUMBER,

		/**
		 * A placeholder.
		 */
		PLACEHOLDER,

		/**
		 * A placeholder for the fencing token.
		 */
		TOKEN_PLACEHOLDER,

		/**
		 * One character of punctuation or of an operator, or {@code ::}, or {@code ??}.
		 */
		SYMBOL

	}

}
