package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * The renewals of one lease: when the next one is due.
 */
final class Renewal implements Comparable<Renewal> {

	private static final AtomicLong NUMBERS = new AtomicLong();

	private final long number = NUMBERS.incrementAndGet();

	private final LeaseHold hold;

	private final Duration interval;

	private final @Nullable CompletableFuture<Boolean> extension;

	// Both belong to the queue, which sorts by the one and asks the other under its lock

	private long dueAt;

	private boolean stopped;

	Renewal(LeaseHold hold, Duration interval) {
		this(hold, interval, null);
	}

	/**
	 * Create renewals.
	 * @param hold the lease
	 * @param interval how often it is renewed
	 * @param extension completed with the answer to the first one, which somebody waits
	 * for; null if nobody does
	 */
	Renewal(LeaseHold hold, Duration interval, @Nullable CompletableFuture<Boolean> extension) {
		this.hold = hold;
		this.interval = interval;
		this.extension = extension;
	}

	LeaseHold hold() {
		return this.hold;
	}

	Duration interval() {
		return this.interval;
	}

	/**
	 * Return whether somebody waits for the answer to the next one.
	 */
	boolean isExtension() {
		return this.extension != null && !this.extension.isDone();
	}

	void extended(boolean lasts) {
		if (this.extension != null) {
			this.extension.complete(lasts);
		}
	}

	void notExtended(Throwable failure) {
		if (this.extension != null) {
			this.extension.completeExceptionally(failure);
		}
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
