package dev.fencing.lease;

import java.time.Duration;

/**
 * A lease that this instance holds, for operators.
 *
 * @param lock the lock name
 * @param resource the resource
 * @param generation the number of the acquisition
 * @param nonce the random id of the acquisition
 * @param heldFor how long it has been held
 * @param remaining how long it lasts unless it is renewed; zero if it is over
 * @param thread the name of the thread that took it
 * @since 0.1.0
 */
public record HeldLease(String lock, String resource, long generation, String nonce, Duration heldFor,
		Duration remaining, String thread) {
}
