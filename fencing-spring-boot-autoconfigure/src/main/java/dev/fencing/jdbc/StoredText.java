package dev.fencing.jdbc;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes text fit into a column. The same text always becomes the same, so that it can be
 * looked for; ordinary text stays as it is.
 */
final class StoredText {

	private static final char REPLACEMENT = '\uFFFD';

	private static final int HASH_BYTES = 8;

	private StoredText() {
	}

	/**
	 * Replace what some database cannot store, and shorten what is too long. Text that is
	 * not what it was ends with a hash, so that different texts stay different.
	 * @param text the text
	 * @param length the greatest length, in UTF-16 units: no database counts more
	 */
	static String fit(String text, int length) {
		return fit(text, length, replaceUnstorable(text));
	}

	/**
	 * Replace what only some character sets have as well.
	 * @param text the text
	 * @param length the greatest length
	 */
	static String ascii(String text, int length) {
		return fit(text, length, text.replaceAll("[^\\x01-\\x7F]", "?"));
	}

	private static String fit(String text, int length, String storable) {
		if (text.isEmpty()) {
			// Oracle takes it for null
			return "-";
		}
		if (storable.equals(text) && text.length() <= length) {
			return text;
		}
		String end = "~" + hash(text);
		int cut = Math.min(storable.length(), length - end.length());
		if (Character.isHighSurrogate(storable.charAt(cut - 1))) {
			cut--;
		}
		return storable.substring(0, cut) + end;
	}

	/**
	 * PostgreSQL stores no NUL, and half a surrogate pair is no character.
	 */
	private static String replaceUnstorable(String text) {
		if (text.codePoints().noneMatch(StoredText::isUnstorable)) {
			return text;
		}
		StringBuilder replaced = new StringBuilder(text.length());
		text.codePoints()
			.map((codePoint) -> isUnstorable(codePoint) ? REPLACEMENT : codePoint)
			.forEach(replaced::appendCodePoint);
		return replaced.toString();
	}

	private static boolean isUnstorable(int codePoint) {
		return codePoint == 0 || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
	}

	private static String hash(String text) {
		try {
			// No charset: each would make the same of all that is no character
			ByteBuffer units = ByteBuffer.allocate(text.length() * Character.BYTES);
			units.asCharBuffer().put(text);
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(units.array());
			return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
