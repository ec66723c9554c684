package dev.fencing.jdbc;

/**
 * A piece of a statement that means something; white space and comments are none.
 *
 * @param kind what it is
 * @param start the offset of its first character
 * @param end the offset behind its last character
 * @param depth how many brackets are open around it; a bracket itself has the depth that
 * is around the pair
 */
record SqlToken(Kind kind, int start, int end, int depth) {

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
		 * A number without a sign.
		 */
		NUMBER,

		/**
		 * A placeholder.
		 */
		PLACEHOLDER,

		/**
		 * One character of punctuation or of an operator, or {@code ::}, or {@code ??}.
		 */
		SYMBOL

	}

}
