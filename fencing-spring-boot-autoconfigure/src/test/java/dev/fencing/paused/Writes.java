package dev.fencing.paused;

/**
 * How a worker writes.
 */
enum Writes {

	/** JdbcTemplate, which knows nothing of tokens. */
	PLAIN_JDBC,

	/** FencedJdbcTemplate. */
	FENCED_JDBC,

	/** An entity of JPA, written by the commit. */
	ENTITY,

	/** An entity of JPA, written by a flush before the commit. */
	FLUSHED_ENTITY

}
