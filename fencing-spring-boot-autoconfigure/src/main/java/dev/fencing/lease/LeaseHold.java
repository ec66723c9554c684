package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A lease from just before it is asked for until it is given back. Its deadline is
 * counted on this process' monotonic clock from before the request that granted or
 * renewed it was sent, so it is never later than the provider's own: no step of a wall
 * clock moves it, and a pause of the process shows.
 *
 * @since 0.1.0
 */
public final class LeaseHold {

	private final String lockName;

	private volatile HoldTimes times;

	private final long requestedAt = System.nanoTime();

	private final Thread thread = Thread.currentThread();

	private final AtomicBoolean lossTold = new AtomicBoolean();

	private volatile long deadline;

	private volatile @Nullable Lease lease;

	private volatile boolean lost;

	private volatile long successor;

	private volatile @Nullable RenewalCallback callback;

	private volatile @Nullable Renewal renewal;

	/**
	 * Create a hold that the current thread is about to ask for.
	 */
	LeaseHold(String lockName, HoldTimes times) {
		this.lockName = lockName;
		this.times = times;
		this.deadline = this.requestedAt + times.leaseTime().toNanos();
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
	 * @throws IllegalStateException if it has not been granted yet
	 */
	public Lease lease() {
		Lease granted = this.lease;
		Assert.state(granted != null, "The lease has not been granted");
		return granted;
	}

	void armed(Renewal renewal) {
		this.renewal = renewal;
	}

	@Nullable Renewal renewal() {
		return this.renewal;
	}

	boolean isGranted() {
		return this.lease != null;
	}

	void granted(Lease granted) {
		this.lease = granted;
	}

	/**
	 * Replace the lease by the one that the provider healed. Only before the first read.
	 * @param healed the same acquisition's lease with a new generation
	 */
	public void heal(Lease healed) {
		this.lease = healed;
	}

	/**
	 * Say who is to be told what becomes of the renewals, also of what has happened
	 * before.
	 * @param told the callback; never null
	 */
	public void report(RenewalCallback told) {
		this.callback = told;
		if (this.lost) {
			tellLoss();
		}
	}

	@Nullable RenewalCallback callback() {
		return this.callback;
	}

	/**
	 * Return how long the lease lasts unless it is renewed.
	 * @return the time left, zero if it is over; never null
	 */
	public Duration remaining() {
		return this.lost ? Duration.ZERO : Duration.ofNanos(Math.max(0, this.deadline - System.nanoTime()));
	}

	/**
	 * Return whether the lease is known to be lost.
	 * @return whether it ran out or was found to be another acquisition's
	 */
	public boolean isLost() {
		return this.lost || this.deadline - System.nanoTime() <= 0;
	}

	/**
	 * Return the generation of the owner who has the lease instead, as the provider told.
	 * @return the generation, or 0 if no other owner is known
	 */
	public long successor() {
		return this.successor;
	}

	/**
	 * Return how long the lease has been held.
	 * @return the time since the lease was asked for; never null
	 */
	public Duration heldFor() {
		return Duration.ofNanos(System.nanoTime() - this.requestedAt);
	}

	/**
	 * Return how long nobody may have the lease after it was given back.
	 */
	Duration blockedFor() {
		Duration minHold = this.times.minHold();
		if (minHold.isZero()) {
			return minHold;
		}
		Duration left = minHold.minus(heldFor());
		return left.isNegative() ? Duration.ZERO : left;
	}

	Duration leaseTime() {
		return this.times.leaseTime();
	}

	/**
	 * Let the lease be held for other times, both counted from now.
	 */
	void holdFor(Duration leaseTime, Duration minHold) {
		Duration soFar = heldFor();
		this.times = new HoldTimes(leaseTime, soFar.plus(minHold), soFar.plus(leaseTime));
	}

	/**
	 * Return for how long a renewal may extend the lease: never past the longest hold.
	 * @param now the monotonic time in nanoseconds
	 * @return the lease time, or less; zero or negative when renewing has to end
	 */
	Duration renewableFor(long now) {
		Duration maxHold = this.times.maxHold();
		if (maxHold == null) {
			return leaseTime();
		}
		Duration left = maxHold.minusNanos(now - this.requestedAt);
		return (left.compareTo(leaseTime()) < 0) ? left : leaseTime();
	}

	/**
	 * Note a renewal. One that is overtaken by a later one changes nothing, and none
	 * brings a lease back.
	 */
	void renewed(long deadline) {
		if (!isLost() && deadline - this.deadline > 0) {
			this.deadline = deadline;
		}
	}

	/**
	 * Note an extension, which may also end the lease sooner than it would have.
	 */
	void extended(long deadline) {
		if (!isLost()) {
			this.deadline = deadline;
		}
	}

	long deadline() {
		return this.deadline;
	}

	/**
	 * Note that the lease is over, whatever its deadline.
	 */
	void lost() {
		this.lost = true;
	}

	void takenBy(long generation) {
		this.successor = generation;
		this.lost = true;
	}

	/**
	 * Tell the loss once, if there is somebody to tell.
	 */
	void tellLoss() {
		RenewalCallback told = this.callback;
		if (told != null && this.lossTold.compareAndSet(false, true)) {
			told.lost();
		}
	}

	HeldLease describe(String resource) {
		Lease current = lease();
		return new HeldLease(this.lockName, resource, current.generation(), current.nonce(), heldFor(), remaining(),
				ThreadNames.of(this.thread));
	}

}
