package dev.fencing.lease;

import java.time.Duration;

/**
 * The one time that a caller has for all its waiting, in this process and for others.
 */
final class WaitBudget {

	/**
	 * How long the provider may take to answer when less is left to wait: a single
	 * attempt needs a round trip as well, the first one a connection.
	 */
	private static final Duration MIN_ANSWER_TIME = Duration.ofSeconds(5);

	/**
	 * How long the answer to the last attempt may take.
	 */
	private static final Duration LAST_ANSWER_TIME = Duration.ofMillis(500);

	private static final Duration LONGEST = Duration.ofDays(36500);

	private final long deadline;

	private final long answeredBy;

	WaitBudget(Duration waitTime) {
		long now = System.nanoTime();
		this.deadline = now + nanos(waitTime);
		this.answeredBy = now + Math.max(nanos(waitTime) + LAST_ANSWER_TIME.toNanos(), MIN_ANSWER_TIME.toNanos());
	}

	/**
	 * Cut what would overflow, and is forever anyway.
	 */
	private static long nanos(Duration time) {
		return ((time.compareTo(LONGEST) < 0) ? time : LONGEST).toNanos();
	}

	boolean isOver() {
		return left(this.deadline) <= 0;
	}

	/**
	 * Return when the time to wait for a holder is over, by the monotonic clock.
	 */
	long deadline() {
		return this.deadline;
	}

	/**
	 * Return when the provider must have answered, by the monotonic clock.
	 */
	long answeredBy() {
		return this.answeredBy;
	}

	boolean isUnanswered() {
		return left(this.answeredBy) <= 0;
	}

	/**
	 * Return how long the next answer may take.
	 */
	Duration answerTime() {
		return Duration.ofNanos(Math.max(LAST_ANSWER_TIME.toNanos(), left(this.answeredBy)));
	}

	private static long left(long time) {
		return time - System.nanoTime();
	}

}
