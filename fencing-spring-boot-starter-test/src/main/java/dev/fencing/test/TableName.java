package dev.fencing.test;

import org.jspecify.annotations.Nullable;

/**
 * A table of one of the data sources.
 *
 * @param dataSource the bean name of the data source
 * @param schema its schema; null if the database has none
 * @param name its name
 */
record TableName(String dataSource, @Nullable String schema, String name) {

	/**
	 * Return whether this is what a test calls it.
	 * @param text a name, in upper or lower case, with the schema or without
	 */
	boolean isCalled(String text) {
		return text.equalsIgnoreCase(this.name) || text.equalsIgnoreCase(this.schema + "." + this.name);
	}

	@Override
	public String toString() {
		return ((this.schema != null) ? this.schema + "." : "") + this.name + " (" + this.dataSource + ")";
	}

}
