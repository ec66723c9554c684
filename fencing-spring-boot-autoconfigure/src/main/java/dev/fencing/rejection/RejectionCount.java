package dev.fencing.rejection;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts the rejections that wait to be stored and those that never will be. Each is
 * counted once, also if it comes while the writer is being closed. Thread-safe, without
 * locks.
 */
final class RejectionCount {

	private static final Log logger = LogFactory.getLog(RejectionWriter.class);

	/** In place of the number of those that wait. */
	private static final int CLOSED = -1;

	private final int capacity;

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong unreportedOverflow = new AtomicLong();

	RejectionCount(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * Count a rejection.
	 * @return whether there is room for it, else it is dropped
	 */
	boolean accept() {
		while (true) {
			int waiting = this.waiting.get();
			if (waiting == CLOSED || waiting >= this.capacity) {
				this.dropped.incrementAndGet();
				this.unreportedOverflow.addAndGet((waiting != CLOSED) ? 1 : 0);
				return false;
			}
			if (this.waiting.compareAndSet(waiting, waiting + 1)) {
				return true;
			}
		}
	}

	void stored(int number) {
		leave(number);
	}

	void dropped() {
		if (leave(1)) {
			this.dropped.incrementAndGet();
		}
	}

	/**
	 * Drop all that wait, and whatever comes after them.
	 * @return how many were waiting
	 */
	int close() {
		int left = Math.max(0, this.waiting.getAndSet(CLOSED));
		this.dropped.addAndGet(left);
		return left;
	}

	boolean isClosed() {
		return this.waiting.get() == CLOSED;
	}

	int capacity() {
		return this.capacity;
	}

	int waitingNumber() {
		return Math.max(0, this.waiting.get());
	}

	long droppedNumber() {
		return this.dropped.get();
	}

	/**
	 * Log how many found no room since the last report, if any. Not called where they are
	 * counted: those who are refused do not wait for a log.
	 */
	void reportOverflow() {
		long number = this.unreportedOverflow.getAndSet(0);
		if (number > 0) {
			logger.warn("%d rejections were not stored, since %d were waiting for that already".formatted(number,
					this.capacity));
		}
	}

	/**
	 * Take away from those that wait.
	 * @return false if they were given up before
	 */
	private boolean leave(int number) {
		return this.waiting.getAndUpdate((waiting) -> (waiting != CLOSED) ? waiting - number : CLOSED) != CLOSED;
	}

}
