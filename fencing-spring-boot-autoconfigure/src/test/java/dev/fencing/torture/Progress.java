package dev.fencing.torture;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells the scheduler that some worker has come to something.
 */
final class Progress {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private long version;

	void changed() {
		this.lock.lock();
		try {
			this.version++;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	long version() {
		this.lock.lock();
		try {
			return this.version;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until something has changed, for a while.
	 * @return whether it has
	 */
	boolean awaitChange(long seen, long millis) {
		this.lock.lock();
		try {
			long left = TimeUnit.MILLISECONDS.toNanos(millis);
			while (this.version == seen && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			return this.version != seen;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

}
