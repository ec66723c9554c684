package dev.fencing.torture;

/**
 * How the answer to a commit is lost.
 */
enum CommitFault {

	/**
	 * The commit is done.
	 */
	DONE,

	/**
	 * The commit is not done.
	 */
	NOT_DONE,

	/**
	 * The commit is still under way when the caller is told that its connection broke.
	 */
	LATE

}
