package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.LeaseProviderException;

/**
 * The place of one thread in the line for a resource. Who wants several is in one line at
 * a time, that for the resource that keeps it from having them all: so nobody is first
 * where another one waits and the other way round, and nobody waits for what is free.
 */
final class Place implements AutoCloseable {

	/**
	 * The longest time between two attempts: should a message be lost, that is what it
	 * costs.
	 */
	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The same where there are no messages, or not yet.
	 */
	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	private final WaitingLines lines;

	private final WaitBudget budget;

	private final Waiter waiter;

	private @Nullable WaitingLine joined;

	private long joinedAt;

	/**
	 * Create a place that is in no line yet.
	 */
	Place(WaitingLines lines, WaitBudget budget, String lock) {
		this.lines = lines;
		this.budget = budget;
		this.waiter = new Waiter(lock);
	}

	/**
	 * Wait until this thread is the first in the line for a resource, going to its end if
	 * it is in another one.
	 * @return whether it is the first; otherwise there was no time to wait for that
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitTurn(String resource) throws InterruptedException {
		WaitingLine line = lineFor(resource);
		boolean waited = false;
		while (!line.isFirst(this.waiter)) {
			waited = true;
			if (this.budget.isOver() && line.isBlocked()) {
				return false;
			}
			if (this.budget.isUnanswered()) {
				throw new LeaseProviderException(
						"No answer in time to the one who asked for '%s' just before".formatted(resource));
			}
			this.waiter.awaitUntil(this.budget.isOver() ? this.budget.answeredBy() : this.budget.deadline());
		}
		// Who has no time left takes the answer that the one before has got meanwhile
		return !waited || !this.budget.isOver() || !line.isBlockedSince(this.joinedAt);
	}

	private WaitingLine lineFor(String resource) {
		WaitingLine known = this.joined;
		if (known != null && known.resource().equals(resource)) {
			return known;
		}
		close();
		long joining = System.nanoTime();
		WaitingLine line = this.lines.join(resource, this.waiter);
		this.joined = line;
		this.joinedAt = joining;
		return line;
	}

	/**
	 * Return of which resource a holder is heard that gives it back now.
	 */
	@Nullable String watched() {
		WaitingLine line = line();
		return line.isWatched() ? line.resource() : null;
	}

	/**
	 * Note that the resource of the line is held.
	 */
	void block() {
		this.lines.block(line());
	}

	/**
	 * Wait until another attempt is worth it.
	 * @param remaining how long the holder may keep the resource of the line
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitRelease(Duration remaining) throws InterruptedException {
		long now = System.nanoTime();
		WaitingLine line = line();
		if (this.lines.watch(line)) {
			line.afterWatchBegins(this.waiter::wake);
		}
		long pause = line.isWatched() ? LONGEST_PAUSE : POLL_INTERVAL;
		// A lease ends when its last millisecond is over
		long ending = now + remaining.toNanos() + TimeUnit.MILLISECONDS.toNanos(1);
		this.waiter.awaitUntil(min(min(ending, now + pause), this.budget.deadline()));
	}

	private WaitingLine line() {
		WaitingLine line = this.joined;
		Assert.state(line != null, "In no line");
		return line;
	}

	private static long min(long first, long second) {
		return (first - second < 0) ? first : second;
	}

	/**
	 * Leave the line.
	 */
	@Override
	public void close() {
		WaitingLine left = this.joined;
		this.joined = null;
		if (left != null) {
			this.lines.leave(left, this.waiter);
		}
	}

}
