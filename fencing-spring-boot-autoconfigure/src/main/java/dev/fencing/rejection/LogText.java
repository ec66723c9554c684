package dev.fencing.rejection;

/**
 * Quotes text that comes from outside (resource keys are user input), so that it can
 * neither begin a log line of its own nor pass for another part of the line.
 *
 * @since 0.1.0
 */
public final class LogText {

	private LogText() {
	}

	/**
	 * Quote a text.
	 * @param text the text; never null
	 * @return the text in quotes, on one line; never null
	 */
	public static String quote(String text) {
		StringBuilder quoted = new StringBuilder(text.length() + 2).append('\'');
		text.codePoints().forEach((codePoint) -> append(quoted, codePoint));
		return quoted.append('\'').toString();
	}

	private static void append(StringBuilder quoted, int codePoint) {
		switch (codePoint) {
			case '\r' -> quoted.append("\\r");
			case '\n' -> quoted.append("\\n");
			case '\t' -> quoted.append("\\t");
			case '\\', '\'' -> quoted.append('\\').appendCodePoint(codePoint);
			default -> {
				if (isInvisible(codePoint)) {
					quoted.append("\\u{").append(Integer.toHexString(codePoint)).append('}');
				}
				else {
					quoted.appendCodePoint(codePoint);
				}
			}
		}
	}

	// Beyond the ASCII control characters: terminals and viewers also break lines at
	// U+0085, U+2028 and U+2029, and change the order of what is shown at bidi marks
	private static boolean isInvisible(int codePoint) {
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE ->
				true;
			default -> false;
		};
	}

}
