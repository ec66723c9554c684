package dev.fencing.lease;

import java.time.Duration;

/**
 * A lease as the provider sees it.
 *
 * @param lease the lease
 * @param remaining how long it lasts unless it is renewed
 * @since 0.1.0
 */
public record LeaseState(Lease lease, Duration remaining) {
}
