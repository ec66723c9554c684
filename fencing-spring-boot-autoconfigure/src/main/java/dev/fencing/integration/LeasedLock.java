package dev.fencing.integration;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

import dev.fencing.FencedLease;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;

/**
 * A lease as a lock. Holds no state of its own: what a thread has locked is known to
 * {@link ThreadLocks}.
 */
final class LeasedLock implements Lock {

	/**
	 * How long to wait before a lock without an end to its waiting is asked for anew. A
	 * provider that does not answer is given up after that time.
	 */
	private static final Duration TURN = Duration.ofMinutes(1);

	private final FencedLockTemplate locks;

	private final LockRequest request;

	private final ThreadLocks threadLocks;

	/**
	 * Create a lock.
	 * @param locks takes the leases
	 * @param request what to lock
	 * @param threadLocks what threads have locked
	 */
	LeasedLock(FencedLockTemplate locks, LockRequest request, ThreadLocks threadLocks) {
		this.locks = locks;
		this.request = request;
		this.threadLocks = threadLocks;
	}

	@Override
	public void lock() {
		while (!acquireUninterruptibly(TURN)) {
			// Somebody else has it
		}
	}

	@Override
	public void lockInterruptibly() throws InterruptedException {
		checkInterruption();
		while (!acquire(TURN)) {
			// Somebody else has it
		}
	}

	@Override
	public boolean tryLock() {
		return acquireUninterruptibly(Duration.ZERO);
	}

	@Override
	public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
		checkInterruption();
		return acquire(Duration.ofNanos(unit.toNanos(Math.max(0, time))));
	}

	@Override
	public void unlock() {
		this.threadLocks.leave(this.request.resource());
	}

	@Override
	public Condition newCondition() {
		throw new UnsupportedOperationException("A lock that is a lease has no conditions");
	}

	private static void checkInterruption() throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
	}

	/**
	 * Acquire it, beginning anew when the thread is interrupted, which stays so.
	 */
	private boolean acquireUninterruptibly(Duration waitTime) {
		boolean interrupted = Thread.interrupted();
		try {
			while (true) {
				try {
					return acquire(waitTime);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private boolean acquire(Duration waitTime) throws InterruptedException {
		if (this.threadLocks.enter(this.request.resource())) {
			return true;
		}
		try {
			Optional<FencedLease> lease = this.locks.open(this.request.waitTime(waitTime));
			lease.ifPresent(this::locked);
			return lease.isPresent();
		}
		catch (LeaseUnavailableException ex) {
			if (ex.getCause() instanceof InterruptedException interruption) {
				// Told by the exception from now on
				Thread.interrupted();
				throw interruption;
			}
			throw ex;
		}
	}

	private void locked(FencedLease lease) {
		this.threadLocks.add(this.request.resource(), lease);
	}

	@Override
	public String toString() {
		return "LeasedLock[" + this.request.resource() + "]";
	}

}
