package dev.fencing.sample.race;

import org.jspecify.annotations.Nullable;

/**
 * A worker's lease. May be asked by any thread.
 */
interface RaceLease {

	/**
	 * Return the token that came with the lease, or null for a lock that has none.
	 */
	@Nullable Long token();

	/**
	 * Return whether the lease has run out.
	 */
	boolean isOver();

}
