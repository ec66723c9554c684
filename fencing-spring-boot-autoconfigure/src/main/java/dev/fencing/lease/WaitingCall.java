package dev.fencing.lease;

import java.time.Duration;

/**
 * A call of this instance that waits for a lease, for operators.
 *
 * @param lock the lock name
 * @param resource the resource that another owner has, or others wait for as well
 * @param waitedFor how long it has been waiting
 * @param thread the name of the thread that waits
 * @since 0.1.0
 */
public record WaitingCall(String lock, String resource, Duration waitedFor, String thread) {
}
