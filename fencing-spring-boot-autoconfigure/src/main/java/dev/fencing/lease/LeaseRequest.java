package dev.fencing.lease;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * One attempt to take a lease.
 *
 * @param resources what to take: all of them or none; without duplicates, never empty
 * @param nonce the random id of the acquisition, never used before; without {@code :}
 * @param leaseTime how long the lease lasts unless it is renewed, more than zero
 * @param timeout how long the provider may take to answer, more than zero
 * @param watched which of the resources the caller {@linkplain LeaseProvider#watch
 * watches}: it wants to be told when its holder gives it back; null for none
 * @since 0.1.0
 */
public record LeaseRequest(List<String> resources, String nonce, Duration leaseTime, Duration timeout,
		@Nullable String watched) {

	/**
	 * Create a request.
	 * @throws IllegalArgumentException if there is no resource, the nonce is empty or
	 * holds a {@code :}, or a time is not more than zero
	 */
	public LeaseRequest {
		Assert.notEmpty(resources, "A lease is of at least one resource");
		resources = List.copyOf(resources);
		Assert.isTrue(!nonce.isEmpty() && nonce.indexOf(':') < 0,
				() -> "The nonce '%s' must not be empty nor hold a ':'".formatted(nonce));
		Assert.isTrue(!leaseTime.isNegative() && !leaseTime.isZero(),
				() -> "The lease time %s is not more than zero".formatted(leaseTime));
		Assert.isTrue(!timeout.isNegative() && !timeout.isZero(),
				() -> "The timeout %s is not more than zero".formatted(timeout));
	}

	/**
	 * Create a request for one resource that nobody watches.
	 * @param resource what to take
	 * @param nonce the random id of the acquisition
	 * @param leaseTime how long the lease lasts unless it is renewed
	 * @param timeout how long the provider may take to answer
	 */
	public LeaseRequest(String resource, String nonce, Duration leaseTime, Duration timeout) {
		this(List.of(resource), nonce, leaseTime, timeout, null);
	}

}
