package dev.fencing.lease;

import java.time.Duration;

/**
 * What an attempt to take a lease gave.
 *
 * @since 0.1.0
 */
public sealed interface LeaseAttempt {

	/**
	 * The lease was taken.
	 *
	 * @param lease the lease
	 */
	record Granted(Lease lease) implements LeaseAttempt {
	}

	/**
	 * Another acquisition has it, or one of several.
	 *
	 * @param remaining how long it may keep it unless it renews: the longest time, if
	 * several have some of it
	 */
	record Held(Duration remaining) implements LeaseAttempt {
	}

}
