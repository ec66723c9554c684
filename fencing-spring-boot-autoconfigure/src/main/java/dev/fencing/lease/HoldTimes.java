package dev.fencing.lease;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.fencing.LockRequest;

/**
 * How long one lease is held: what its request says, and where it says nothing, the
 * settings.
 *
 * @param leaseTime how long it lasts unless it is renewed, no longer than the longest
 * hold
 * @param minHold how long nobody else has it from its acquisition on, also when it was
 * given back before
 * @param maxHold after which time it is not renewed any more; null for none
 */
record HoldTimes(Duration leaseTime, Duration minHold, @Nullable Duration maxHold) {

	static HoldTimes of(LockRequest request, LeaseSettings settings) {
		Duration leaseTime = (request.leaseTime() != null) ? request.leaseTime() : settings.leaseTime();
		Duration minHold = (request.minHold() != null) ? request.minHold() : Duration.ZERO;
		Duration maxHold = (request.maxHold() != null) ? request.maxHold() : longest(settings.maxHold(), minHold);
		if (maxHold != null && maxHold.compareTo(leaseTime) < 0) {
			leaseTime = maxHold;
		}
		return new HoldTimes(leaseTime, minHold, maxHold);
	}

	/**
	 * What all locks have does not cut the shortest hold of one.
	 */
	private static @Nullable Duration longest(@Nullable Duration maxHold, Duration minHold) {
		return (maxHold != null && maxHold.compareTo(minHold) < 0) ? minHold : maxHold;
	}

}
