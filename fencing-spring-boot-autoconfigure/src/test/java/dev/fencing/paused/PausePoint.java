package dev.fencing.paused;

/**
 * Where a worker can be made to pause.
 */
enum PausePoint {

	BEFORE_READ, BEFORE_WRITE, BEFORE_COMMIT,

	/** After the last statement before the commit, which locks the registry's row. */
	AFTER_GUARD,

	/** In a payout, when an item was found not to be paid yet. */
	BEFORE_PAYMENT

}
