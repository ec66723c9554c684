package dev.fencing.docs;

import java.util.List;

/**
 * A fenced block of a document.
 *
 * @param file the document, from the root of the project
 * @param line the number of the first line in it, where the block has its language
 * @param language what stands behind the fence
 * @param text what is in it, without the indentation of the fence
 * @param before the document up to the block
 */
record Snippet(String file, int line, String language, String text, String before) {

	/**
	 * Return where the block is, in a form that editors and terminals make a link of.
	 */
	String place() {
		return "%s:%d".formatted(this.file, this.line);
	}

	/**
	 * Return where a line of the block is.
	 * @param number the number of the line in the block, from 1
	 */
	String place(int number) {
		return "%s:%d".formatted(this.file, this.line + number);
	}

	List<String> lines() {
		return this.text.lines().toList();
	}

	@Override
	public String toString() {
		return place() + " " + this.language;
	}

}
