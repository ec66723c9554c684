package dev.fencing.benchmark.database;

/**
 * Who appends guard and stamp to a statement.
 *
 * @since 0.1.0
 */
public enum GuardKind {

	/**
	 * The helper of this project.
	 */
	HELPER("FencedJdbcTemplate"),

	/**
	 * Whoever wrote the statement.
	 */
	HAND_WRITTEN("JdbcTemplate, guard written by hand");

	private final String title;

	GuardKind(String title) {
		this.title = title;
	}

	/**
	 * Return its name in tables.
	 * @return the name; never null
	 */
	public String title() {
		return this.title;
	}

}
