package dev.fencing.lease;

import java.time.Duration;

/**
 * One lease that is to last longer.
 *
 * @param lease the lease
 * @param leaseTime how long it is to last from now on, more than zero
 * @since 0.1.0
 */
public record LeaseExtension(Lease lease, Duration leaseTime) {
}
