package dev.fencing.lease;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RenewalQueue}.
 */
@Timeout(60)
class RenewalQueueTests {

	/**
	 * So long that a tenth of it does not pass during a test.
	 */
	private static final Duration INTERVAL = Duration.ofHours(1);

	private final RenewalQueue queue = new RenewalQueue();

	private final long now = System.nanoTime();

	@Test
	void whatIsDueWithinATenthOfItsIntervalGoesAlongWithWhatIsDue() throws InterruptedException {
		Renewal due = schedule(Duration.ZERO);
		Renewal soon = schedule(Duration.ofMinutes(5));
		schedule(Duration.ofMinutes(30));
		assertThat(this.queue.take().due()).containsExactly(due, soon);
	}

	@Test
	void whatIsTakenStaysUntilItHasAnotherTime() throws InterruptedException {
		Renewal due = schedule(Duration.ZERO);
		assertThat(this.queue.take().due()).containsExactly(due);
		assertThat(this.queue.take().due()).containsExactly(due);
		this.queue.schedule(due, this.now + INTERVAL.toNanos());
		Renewal next = schedule(Duration.ZERO);
		assertThat(this.queue.take().due()).containsExactly(next);
	}

	@Test
	void answersComeFirst() throws InterruptedException {
		Runnable answer = () -> {
		};
		schedule(Duration.ZERO);
		this.queue.answered(answer);
		assertThat(this.queue.take()).isEqualTo(new RenewalQueue.Work(List.of(answer), List.of()));
	}

	@Test
	void whatIsStoppedIsNotTakenAndNotScheduledAgain() throws InterruptedException {
		Renewal stopped = schedule(Duration.ZERO);
		Renewal other = schedule(Duration.ZERO);
		this.queue.stop(stopped);
		this.queue.schedule(stopped, this.now);
		assertThat(this.queue.take().due()).containsExactly(other);
		assertThat(this.queue.size()).isOne();
	}

	private Renewal schedule(Duration dueIn) {
		HoldTimes times = new HoldTimes(INTERVAL.multipliedBy(3), Duration.ZERO, null);
		Renewal renewal = new Renewal(new LeaseHold("document", times), INTERVAL);
		this.queue.schedule(renewal, this.now + dueIn.toNanos());
		return renewal;
	}

}
