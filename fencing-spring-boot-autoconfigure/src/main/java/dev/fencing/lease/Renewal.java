package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The renewals of one lease: when the next one is due.
 */
final class Renewal implements Comparable<Renewal> {

	private static final AtomicLong NUMBERS = new AtomicLong();

	private final long number = NUMBERS.incrementAndGet();

	private final LeaseHold hold;

	private final Duration interval;

	// Both belong to the queue, which sorts by the one and asks the other under its lock

	private long dueAt;

	private boolean stopped;

	Renewal(LeaseHold hold, Duration interval) {
		this.hold = hold;
		this.interval = interval;
	}

	LeaseHold hold() {
		return this.hold;
	}

	Duration interval() {
		return this.interval;
	}

	/**
	 * Return until when this may wait for others, or be done with others that are due, in
	 * order to go in one request: some moments early do no harm.
	 */
	long earliest() {
		return this.dueAt - this.interval.toNanos() / 10;
	}

	long dueAt() {
		return this.dueAt;
	}

	void dueAt(long time) {
		this.dueAt = time;
	}

	boolean isStopped() {
		return this.stopped;
	}

	void stop() {
		this.stopped = true;
	}

	@Override
	public int compareTo(Renewal other) {
		long difference = this.dueAt - other.dueAt;
		return (difference != 0) ? Long.signum(difference) : Long.compare(this.number, other.number);
	}

	@Override
	public boolean equals(Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return Long.hashCode(this.number);
	}

}
