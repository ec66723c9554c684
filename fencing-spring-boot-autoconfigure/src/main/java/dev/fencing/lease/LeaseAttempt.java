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
	 * Another acquisition has it.
	 *
	 * @param resource what it has: the first one of those that were asked for
	 * @param remaining how long it may keep it unless it renews
	 */
	record Held(String resource, Duration remaining) implements LeaseAttempt {
	}

}
