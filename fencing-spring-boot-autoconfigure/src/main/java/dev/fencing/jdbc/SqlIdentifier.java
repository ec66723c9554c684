package dev.fencing.jdbc;

import java.util.Locale;

/**
 * A name as a statement gives it.
 *
 * @param name the name, without its quotes
 * @param quoted whether it stood in quotes, so that its case counts
 */
record SqlIdentifier(String name, boolean quoted) {

	/**
	 * Whether this might be the given column in any database: without regard to case and
	 * quotes.
	 */
	boolean mayBe(String other) {
		return this.name.equalsIgnoreCase(other)
				|| this.name.toUpperCase(Locale.ROOT).equals(other.toUpperCase(Locale.ROOT));
	}

}
