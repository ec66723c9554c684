package dev.fencing.lease;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * One attempt to take a lease.
 *
 * @param resource what to take
 * @param nonce the random id of the acquisition, never used before; without {@code :}
 * @param leaseTime how long the lease lasts unless it is renewed, more than zero
 * @param timeout how long the provider may take to answer, more than zero
 * @since 0.1.0
 */
public record LeaseRequest(String resource, String nonce, Duration leaseTime, Duration timeout) {

	/**
	 * Create a request.
	 * @throws IllegalArgumentException if the nonce is empty or holds a {@code :}, or a
	 * time is not more than zero
	 */
	public LeaseRequest {
		Assert.isTrue(!nonce.isEmpty() && nonce.indexOf(':') < 0,
				() -> "The nonce '%s' must not be empty nor hold a ':'".formatted(nonce));
		Assert.isTrue(!leaseTime.isNegative() && !leaseTime.isZero(),
				() -> "The lease time %s is not more than zero".formatted(leaseTime));
		Assert.isTrue(!timeout.isNegative() && !timeout.isZero(),
				() -> "The timeout %s is not more than zero".formatted(timeout));
	}

}
