package dev.fencing.torture;

/**
 * What the caller of an operation knows in the end.
 */
enum Outcome {

	/**
	 * It is done.
	 */
	ACKNOWLEDGED,

	/**
	 * It was refused by a guard: what was refused is not done.
	 */
	REFUSED,

	/**
	 * Another owner has the lease. Nothing was done.
	 */
	UNAVAILABLE,

	/**
	 * It failed before its last commit was sent, which is not done.
	 */
	FAILED,

	/**
	 * It failed when its commit had been sent: done or not.
	 */
	UNKNOWN

}
