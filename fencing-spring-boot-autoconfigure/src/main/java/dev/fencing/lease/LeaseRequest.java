package dev.fencing.lease;

import java.time.Duration;

/**
 * One attempt to take a lease.
 *
 * @param resource what to take
 * @param nonce the random id of the acquisition, never used before; without {@code :}
 * @param leaseTime how long the lease lasts unless it is renewed
 * @param timeout how long the provider may take to answer
 * @since 0.1.0
 */
public record LeaseRequest(String resource, String nonce, Duration leaseTime, Duration timeout) {
}
