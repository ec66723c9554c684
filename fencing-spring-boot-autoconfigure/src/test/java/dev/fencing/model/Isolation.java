package dev.fencing.model;

/**
 * What a transaction sees of the others.
 */
enum Isolation {

	/** Each statement sees what is committed when it runs. */
	READ_COMMITTED,

	/**
	 * As PostgreSQL: all statements see what the first one saw, and what was changed
	 * since cannot be locked.
	 */
	SNAPSHOT

}
