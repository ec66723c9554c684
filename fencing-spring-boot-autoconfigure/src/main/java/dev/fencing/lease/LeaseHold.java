package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * A lease while it is held. Its deadline is counted on this process' monotonic clock from
 * before the request that granted or renewed it was sent, so it is never later than the
 * provider's own: no step of a wall clock moves it, and a pause of the process shows.
 *
 * @since 0.1.0
 */
public final class LeaseHold {

	private final String lockName;

	private final Duration leaseTime;

	private final long acquiredAt;

	private final long renewableUntil;

	private volatile Lease lease;

	private volatile long deadline;

	private volatile boolean takenAway;

	private final AtomicBoolean lossTold = new AtomicBoolean();

	LeaseHold(String lockName, Lease lease, Duration leaseTime, @Nullable Duration maxHold, long requestedAt) {
		this.lockName = lockName;
		this.lease = lease;
		this.leaseTime = leaseTime;
		this.acquiredAt = requestedAt;
		this.deadline = requestedAt + leaseTime.toNanos();
		this.renewableUntil = (maxHold != null) ? requestedAt + maxHold.toNanos() : Long.MAX_VALUE;
	}

	/**
	 * Return the lock name.
	 * @return the lock name; never null
	 */
	public String lockName() {
		return this.lockName;
	}

	/**
	 * Return the lease as it was granted last.
	 * @return the lease; never null
	 */
	public Lease lease() {
		return this.lease;
	}

	/**
	 * Replace the lease by the one that the provider healed. Only before the first read.
	 * @param healed the same acquisition's lease with a new generation
	 */
	public void heal(Lease healed) {
		this.lease = healed;
	}

	/**
	 * Return how long the lease lasts unless it is renewed.
	 * @return the time left, zero if it is over; never null
	 */
	public Duration remaining() {
		return this.takenAway ? Duration.ZERO : Duration.ofNanos(Math.max(0, this.deadline - System.nanoTime()));
	}

	/**
	 * Return whether the lease is known to be lost.
	 * @return whether it ran out or was found to be another acquisition's
	 */
	public boolean isLost() {
		return this.takenAway || this.deadline - System.nanoTime() <= 0;
	}

	/**
	 * Return how long the lease has been held.
	 * @return the time since the lease was asked for; never null
	 */
	public Duration heldFor() {
		return Duration.ofNanos(System.nanoTime() - this.acquiredAt);
	}

	Duration leaseTime() {
		return this.leaseTime;
	}

	/**
	 * Return for how long a renewal may extend the lease: never past the longest hold.
	 * @param now the monotonic time in nanoseconds
	 * @return the lease time, or less; zero or negative when renewing has to end
	 */
	Duration renewableFor(long now) {
		if (this.renewableUntil == Long.MAX_VALUE) {
			return this.leaseTime;
		}
		Duration left = Duration.ofNanos(this.renewableUntil - now);
		return (left.compareTo(this.leaseTime) < 0) ? left : this.leaseTime;
	}

	void renewed(long deadline) {
		this.deadline = deadline;
	}

	long deadline() {
		return this.deadline;
	}

	void takenAway() {
		this.takenAway = true;
	}

	boolean tellLossOnce() {
		return this.lossTold.compareAndSet(false, true);
	}

	HeldLease describe() {
		Lease current = this.lease;
		return new HeldLease(this.lockName, current.resource(), current.generation(), current.nonce(), heldFor(),
				remaining());
	}

}
