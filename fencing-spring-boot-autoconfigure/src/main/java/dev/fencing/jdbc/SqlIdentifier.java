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
		return folded(dialect).equals(new SqlIdentifier(other, false).folded(dialect));
	}

	/**
	 * Return the name of a column as the database keeps it; where case never matters, in
	 * lower case.
	 */
	String folded(SqlDialect dialect) {
		if (this.quoted && dialect != SqlDialect.MYSQL) {
			return this.name;
		}
		return (dialect == SqlDialect.H2) ? this.name.toUpperCase(Locale.ROOT) : this.name.toLowerCase(Locale.ROOT);
	}

}
