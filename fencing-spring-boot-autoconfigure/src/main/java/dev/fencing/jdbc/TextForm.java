package dev.fencing.jdbc;

/**
 * Makes of a text what a column can store.
 */
@FunctionalInterface
interface TextForm {

	/**
	 * Return the text as it is stored.
	 * @param text the text
	 * @param length the greatest length
	 */
	String of(String text, int length);

}
