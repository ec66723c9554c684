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

	/**
	 * Whether this is the name of a column that is given without quotes.
	 */
	boolean isSame(String other, SqlDialect dialect) {
		return !this.quoted ? mayBe(other) : switch (dialect) {
			case POSTGRESQL -> this.name.equals(other.toLowerCase(Locale.ROOT));
			case H2 -> this.name.equals(other.toUpperCase(Locale.ROOT));
			case MYSQL -> mayBe(other);
		};
	}

}
