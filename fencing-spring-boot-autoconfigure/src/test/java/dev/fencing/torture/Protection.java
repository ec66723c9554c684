package dev.fencing.torture;

/**
 * What keeps owners from overwriting each other: the library, or less than that.
 */
enum Protection {

	/**
	 * The library.
	 */
	FENCED,

	/**
	 * Leases alone.
	 */
	NONE,

	/**
	 * A comparison of tokens in the statement that writes, and nothing else.
	 */
	ROW_GUARD,

	/**
	 * The registry, written just before the first write.
	 */
	REGISTRATION_AT_FIRST_WRITE,

	/**
	 * The registry, written by the transaction itself just before its commit.
	 */
	REGISTRATION_AT_COMMIT,

	/**
	 * Registered before the read, and checked by a sub-query of the statement that
	 * writes.
	 */
	SUBQUERY_GUARD

}
