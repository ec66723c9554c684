package dev.fencing.test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Runs the successor, and knows whether it waits for the database.
 */
final class SuccessorThread extends Thread {

	private static final long LOOK_MILLIS = 5;

	private final StaleOwner.Action action;

	private final CountDownLatch ended = new CountDownLatch(1);

	private volatile @Nullable Throwable failure;

	private volatile @Nullable Long statementSince;

	SuccessorThread(StaleOwner.Action action) {
		super("fencing-successor");
		this.action = action;
		setDaemon(true);
	}

	@Override
	public void run() {
		try {
			this.action.run();
		}
		catch (Throwable ex) {
			this.failure = ex;
		}
		finally {
			this.ended.countDown();
		}
	}

	void statementBegins() {
		this.statementSince = System.nanoTime();
	}

	void statementEnds() {
		this.statementSince = null;
	}

	/**
	 * Return what it has thrown.
	 */
	@Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * Wait until it has ended or one of its statements has not been answered for a while.
	 * @return whether it has ended
	 * @throws IllegalStateException if it does neither
	 */
	boolean awaitEndUnlessBlocked(Duration timeout, Duration blockedAfter) {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (!await(LOOK_MILLIS)) {
			Long since = this.statementSince;
			if (since != null && System.nanoTime() - since > blockedAfter.toNanos()) {
				return false;
			}
			if (System.nanoTime() - deadline > 0) {
				throw notEnded(timeout);
			}
		}
		return true;
	}

	/**
	 * Wait until it has ended.
	 * @throws IllegalStateException if it has not in time
	 */
	void awaitEnd(Duration timeout) {
		if (!await(timeout.toMillis())) {
			throw notEnded(timeout);
		}
	}

	private boolean await(long millis) {
		try {
			return this.ended.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the successor was running", ex);
		}
	}

	private IllegalStateException notEnded(Duration timeout) {
		IllegalStateException where = new IllegalStateException("The successor is here");
		where.setStackTrace(getStackTrace());
		return new IllegalStateException("The successor has not ended within %s".formatted(timeout), where);
	}

}
