package dev.fencing.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.fencing.LeaseProviderException;

/**
 * The place of one thread in the lines for all the resources that it wants.
 */
final class Place implements AutoCloseable {

	/**
	 * The longest time between two attempts: should a message be lost, that is what it
	 * costs.
	 */
	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The same where there are no messages.
	 */
	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

	private final WaitingLines lines;

	private final List<String> resources;

	private final WaitBudget budget;

	private final Waiter waiter = new Waiter();

	private final List<WaitingLine> joined;

	/**
	 * Create a place that is in no line yet.
	 * @param resources what is wanted, sorted
	 */
	Place(WaitingLines lines, List<String> resources, WaitBudget budget) {
		this.lines = lines;
		this.resources = resources;
		this.budget = budget;
		this.joined = new ArrayList<>(resources.size());
	}

	/**
	 * Join one line after the other, each when this thread is the first in the one
	 * before. All threads do so in the order of the resources' names: so no two wait for
	 * each other.
	 * @return whether the thread is the first in all of them; otherwise there was no time
	 * to wait for that
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitTurn() throws InterruptedException {
		for (String resource : this.resources) {
			WaitingLine line = this.lines.join(resource, this.waiter);
			this.joined.add(line);
			while (!line.isFirst(this.waiter)) {
				this.joined.stream().filter((other) -> other != line).forEach(this.lines::block);
				if (this.budget.isOver() && line.isBlocked()) {
					return false;
				}
				if (this.budget.isUnanswered()) {
					throw new LeaseProviderException(
							"No answer in time to the one who asked for '%s' just before".formatted(resource));
				}
				this.waiter.awaitUntil(this.budget.isOver() ? this.budget.answeredBy() : this.budget.deadline());
			}
		}
		return true;
	}

	/**
	 * Return whether a holder that gives something back now is heard.
	 */
	boolean isWatched() {
		return this.joined.stream().allMatch(WaitingLine::isWatched);
	}

	/**
	 * Wait until another attempt is worth it.
	 * @param remaining how long a holder may keep what it has
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitRelease(Duration remaining) throws InterruptedException {
		long now = System.nanoTime();
		boolean missed = false;
		for (WaitingLine line : this.joined) {
			this.lines.block(line);
			missed |= this.lines.watch(line);
		}
		if (missed) {
			this.joined.forEach((line) -> line.afterWatchBegins(this.waiter::wake));
		}
		long pause = (missed || isWatched()) ? LONGEST_PAUSE : POLL_INTERVAL;
		// A lease ends when its last millisecond is over
		long ending = now + remaining.toNanos() + TimeUnit.MILLISECONDS.toNanos(1);
		this.waiter.awaitUntil(min(min(ending, now + pause), this.budget.deadline()));
	}

	private static long min(long first, long second) {
		return (first - second < 0) ? first : second;
	}

	/**
	 * Leave all lines.
	 */
	@Override
	public void close() {
		for (int i = this.joined.size() - 1; i >= 0; i--) {
			this.lines.leave(this.joined.get(i), this.waiter);
		}
	}

}
