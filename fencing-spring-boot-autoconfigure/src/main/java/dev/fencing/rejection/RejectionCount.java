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

	private final int capacity;

	private final AtomicInteger waiting = new AtomicInteger();

	private final AtomicLong dropped = new AtomicLong();

	private final AtomicLong unreportedOverflow = new AtomicLong();

	private final AtomicInteger unreportedLeft = new AtomicInteger();

	private volatile boolean closed;

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
			if (this.closed) {
				this.dropped.incrementAndGet();
				return false;
			}
			if (waiting >= this.capacity) {
				this.dropped.incrementAndGet();
				this.unreportedOverflow.incrementAndGet();
				return false;
			}
			if (this.waiting.compareAndSet(waiting, waiting + 1)) {
				return true;
			}
		}
	}

	void stored(int number) {
		this.waiting.addAndGet(-number);
	}

	/**
	 * Count as dropped before it is not waiting any more: whoever adds up both misses
	 * none.
	 */
	void dropped() {
		this.dropped.incrementAndGet();
		this.waiting.decrementAndGet();
	}

	/**
	 * Count as dropped since the time was over.
	 */
	void left() {
		this.unreportedLeft.incrementAndGet();
		dropped();
	}

	/**
	 * Drop whatever comes from now on. Those that wait are counted by who has them.
	 */
	void close() {
		this.closed = true;
	}

	boolean isClosed() {
		return this.closed;
	}

	/**
	 * Return whether there is room for whatever comes while something else is done.
	 */
	boolean hasMuchRoom() {
		return waitingNumber() <= this.capacity / 10;
	}

	int capacity() {
		return this.capacity;
	}

	int waitingNumber() {
		return this.waiting.get();
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
	 * Log how many were left when the time was over, since the last report, if any.
	 */
	void reportLeft() {
		int number = this.unreportedLeft.getAndSet(0);
		if (number > 0) {
			logger.warn("%d rejections were not stored before the application ended".formatted(number));
		}
	}

}
