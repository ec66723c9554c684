package dev.fencing.jdbc;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A form of statement, with an example for each database and what becomes of it.
 *
 * @param name what users call it
 * @param examples the example for each database
 */
record StatementForm(String name, Map<SqlDialect, Example> examples) {

	static StatementForm of(String name) {
		return new StatementForm(name, new EnumMap<>(SqlDialect.class));
	}

	/**
	 * Add an example for one database.
	 */
	StatementForm on(SqlDialect dialect, Outcome outcome, String sql, Object... arguments) {
		this.examples.put(dialect, new Example(outcome, sql, List.of(arguments)));
		return this;
	}

	/**
	 * Add the example for all databases that have none yet.
	 */
	StatementForm elsewhere(Outcome outcome, String sql, Object... arguments) {
		for (SqlDialect dialect : SqlDialect.values()) {
			this.examples.putIfAbsent(dialect, new Example(outcome, sql, List.of(arguments)));
		}
		return this;
	}

	Example example(SqlDialect dialect) {
		Example example = this.examples.get(dialect);
		if (example == null) {
			throw new IllegalStateException("No example of '%s' for %s".formatted(this.name, dialect));
		}
		return example;
	}

	@Override
	public String toString() {
		return this.name;
	}

	/**
	 * What becomes of a form.
	 */
	enum Outcome {

		/**
		 * Stamped and compared.
		 */
		GUARDED("guarded"),

		/**
		 * The same, but MariaDB does not have the form.
		 */
		GUARDED_ON_MYSQL("guarded (MySQL)"),

		/**
		 * The same, but MySQL does not have the form.
		 */
		GUARDED_ON_MARIADB("guarded (MariaDB)"),

		/**
		 * Not sent.
		 */
		REFUSED("refused"),

		/**
		 * Left to the database, which does not have the form.
		 */
		UNKNOWN("-");

		private final String text;

		Outcome(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	/**
	 * An example.
	 *
	 * @param outcome what becomes of it
	 * @param sql the statement
	 * @param arguments its arguments
	 */
	record Example(Outcome outcome, String sql, List<Object> arguments) {

		Object[] argumentArray() {
			return this.arguments.toArray();
		}

	}

}
