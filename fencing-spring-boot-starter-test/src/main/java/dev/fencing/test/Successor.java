package dev.fencing.test;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The successor, on a thread of its own. While it waits in the database for rows of the
 * paused owner, it can be held as soon as it gets them, before it goes on.
 */
final class Successor {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Thread thread;

	private final Duration timeout;

	private volatile @Nullable Thread owner;

	private boolean ended;

	private @Nullable Throwable failure;

	private @Nullable Long statementSince;

	private boolean holding;

	private boolean held;

	private boolean committed;

	/**
	 * Create a successor that does not run yet.
	 * @param action what it does
	 * @param timeout how long it may take
	 */
	Successor(StaleOwner.Action action, Duration timeout) {
		this.timeout = timeout;
		this.thread = new Thread(() -> run(action), "fencing-successor");
		this.thread.setDaemon(true);
	}

	private void run(StaleOwner.Action action) {
		Throwable thrown = null;
		try {
			action.run();
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		this.lock.lock();
		try {
			this.failure = thrown;
			this.ended = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	void start() {
		this.thread.start();
	}

	/**
	 * Note that the current thread has its lease, which may be another one: that of a
	 * server which it has called.
	 */
	void ownsLease() {
		this.owner = Thread.currentThread();
	}

	boolean hasLease() {
		return this.owner != null;
	}

	boolean isCurrentThread() {
		Thread current = Thread.currentThread();
		return current == this.thread || current == this.owner;
	}

	void statementBegins() {
		this.lock.lock();
		try {
			this.statementSince = System.nanoTime();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Note that a statement was answered, and wait if the successor is to be held.
	 * @param autoCommit whether the statement was committed by that
	 */
	void statementEnds(boolean autoCommit) {
		this.lock.lock();
		try {
			this.statementSince = null;
			if (this.holding) {
				this.held = true;
				this.committed = autoCommit;
				this.changed.signalAll();
				await(() -> !this.holding, this.timeout);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until it has ended, or one of its statements has not been answered for a
	 * while. Then it is held from the answer on.
	 * @param patience for how long
	 * @return whether it has ended
	 * @throws IllegalStateException if it does neither
	 */
	boolean awaitEndOrHold(Duration patience) {
		long deadline = System.nanoTime() + this.timeout.toNanos();
		this.lock.lock();
		try {
			while (!await(() -> this.ended, Duration.ofMillis(5))) {
				Long since = this.statementSince;
				if (since != null && System.nanoTime() - since > patience.toNanos()) {
					this.holding = true;
					return false;
				}
				if (System.nanoTime() - deadline > 0) {
					throw notEnded();
				}
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until it is held.
	 * @param patience how long to wait
	 * @return whether it is; else it still waits in the database
	 */
	boolean awaitHeld(Duration patience) {
		this.lock.lock();
		try {
			return await(() -> this.held || this.ended, patience) && this.held;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return whether what it was held after is committed already.
	 */
	boolean hasCommitted() {
		this.lock.lock();
		try {
			return this.committed;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Let it go on, and wait until it has ended.
	 * @throws IllegalStateException if it has not in time
	 */
	void finish() {
		this.lock.lock();
		try {
			this.holding = false;
			this.changed.signalAll();
			if (!await(() -> this.ended, this.timeout)) {
				throw notEnded();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return what it has thrown.
	 */
	@Nullable Throwable failure() {
		this.lock.lock();
		try {
			return this.failure;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean await(BooleanSupplier condition, Duration time) {
		long nanos = time.toNanos();
		try {
			while (!condition.getAsBoolean() && nanos > 0) {
				nanos = this.changed.awaitNanos(nanos);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the successor was running", ex);
		}
		return condition.getAsBoolean();
	}

	private IllegalStateException notEnded() {
		IllegalStateException where = new IllegalStateException("The successor is here");
		where.setStackTrace(this.thread.getStackTrace());
		this.thread.interrupt();
		return new IllegalStateException(
				"The successor has not ended within %s, and was interrupted".formatted(this.timeout), where);
	}

}
