package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits for its turn, or for news of who is in its way.
 */
final class Waiter {

	private final Thread thread = Thread.currentThread();

	private final long since = System.nanoTime();

	private final String lock;

	private volatile boolean woken;

	/**
	 * Create a waiter for the current thread.
	 */
	Waiter(String lock) {
		this.lock = lock;
	}

	/**
	 * Have the thread look again, now or when it waits next.
	 */
	void wake() {
		this.woken = true;
		LockSupport.unpark(this.thread);
	}

	/**
	 * Wait until woken, but no longer than until a time.
	 * @param until the monotonic time in nanoseconds
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitUntil(long until) throws InterruptedException {
		while (!this.woken) {
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			long left = until - System.nanoTime();
			if (left <= 0) {
				return;
			}
			LockSupport.parkNanos(this, left);
		}
		// Before the thread looks: what happens from now on wakes it again
		this.woken = false;
	}

	WaitingCall describe(String resource) {
		return new WaitingCall(this.lock, resource, Duration.ofNanos(System.nanoTime() - this.since),
				ThreadNames.of(this.thread));
	}

}
