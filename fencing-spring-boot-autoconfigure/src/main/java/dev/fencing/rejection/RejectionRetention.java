package dev.fencing.rejection;

import java.time.Duration;
import java.time.Instant;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Deletes stored rejections that are too old: some time after the start and every hour,
 * in portions, so that no statement locks many rows. The writer's thread runs it.
 */
final class RejectionRetention {

	static final int PORTION = 500;

	private static final Log logger = LogFactory.getLog(RejectionRetention.class);

	private static final Duration INTERVAL = Duration.ofHours(1);

	private final RejectionSink sink;

	private final @Nullable Duration kept;

	private long due;

	/**
	 * Create a retention.
	 * @param sink where rejections are stored
	 * @param kept how long they are kept; null for ever
	 * @param first when to begin, from now on
	 */
	RejectionRetention(RejectionSink sink, @Nullable Duration kept, Duration first) {
		this.sink = sink;
		this.kept = kept;
		this.due = System.nanoTime() + first.toNanos();
	}

	/**
	 * Return the time until something is to be deleted; not positive if it is due.
	 */
	long nanosUntilDue() {
		return (this.kept != null) ? this.due - System.nanoTime() : Long.MAX_VALUE;
	}

	/**
	 * Delete a portion if it is time. After a full one the next is due at once.
	 */
	void deleteWhatIsDue() {
		Duration kept = this.kept;
		if (kept == null || nanosUntilDue() > 0) {
			return;
		}
		// First of all: what fails is not worth a hurry
		this.due = System.nanoTime() + INTERVAL.toNanos();
		try {
			if (this.sink.deleteBefore(Instant.now().minus(kept), PORTION) >= PORTION) {
				this.due = System.nanoTime();
			}
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Rejections from more than %s ago could not be deleted, which is tried again in an hour"
				.formatted(kept), ex);
		}
	}

}
