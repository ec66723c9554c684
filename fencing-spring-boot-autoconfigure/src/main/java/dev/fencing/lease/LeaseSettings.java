package dev.fencing.lease;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.LockRequest;

/**
 * What applies to every lock that does not say otherwise.
 *
 * @param leaseTime how long a lease lasts unless it is renewed
 * @param waitTime how long to wait while another owner holds it
 * @param renewInterval how often to renew; null for a third of the lease time
 * @param maxHold the time after which a lease is not renewed any more; null for none
 * @since 0.1.0
 */
public record LeaseSettings(Duration leaseTime, Duration waitTime, @Nullable Duration renewInterval,
		@Nullable Duration maxHold) {

	/**
	 * Check the settings.
	 */
	public LeaseSettings {
		Assert.isTrue(
				leaseTime.toMillis() >= LockRequest.MIN_LEASE_MILLIS
						&& leaseTime.compareTo(LockRequest.MAX_LEASE_TIME) <= 0,
				() -> "The lease time is %s: at least %d ms, and at most %d days".formatted(leaseTime,
						LockRequest.MIN_LEASE_MILLIS, LockRequest.MAX_LEASE_TIME.toDays()));
		Assert.isTrue(!waitTime.isNegative(), () -> "The wait time is %s: it must not be negative".formatted(waitTime));
		Assert.isTrue(maxHold == null || maxHold.toMillis() >= LockRequest.MIN_LEASE_MILLIS,
				() -> "The longest hold is %s: at least %d ms".formatted(maxHold, LockRequest.MIN_LEASE_MILLIS));
		Assert.isTrue(renewInterval == null || (renewInterval.toMillis() > 0 && renewInterval.compareTo(leaseTime) < 0),
				() -> "The renew interval is %s: it must be positive and shorter than the lease time, %s"
					.formatted(renewInterval, leaseTime));
	}

	/**
	 * Return how often to renew a lease.
	 * @param leaseTime the lease time of the lock
	 * @return the interval, at most a third of a lease time that differs from the default
	 */
	Duration renewIntervalFor(Duration leaseTime) {
		// Duration divides with big decimals, which every call would pay for
		Duration third = Duration.ofNanos(leaseTime.toNanos() / 3);
		if (this.renewInterval == null) {
			return third;
		}
		return leaseTime.equals(this.leaseTime) || this.renewInterval.compareTo(third) < 0 ? this.renewInterval : third;
	}

}
