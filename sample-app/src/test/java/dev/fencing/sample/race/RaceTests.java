package dev.fencing.sample.race;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;

import dev.fencing.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for a {@link Race} in which a worker fails: it ends at once, with the failure.
 */
@SampleTest
@Timeout(19)
class RaceTests {

	@Autowired
	private UnfencedRaceLock unfencedLock;

	@Autowired
	private RaceDatabase database;

	@Test
	void ownerThatGetsNoLeaseEndsTheRace() {
		for (PausePoint pause : PausePoint.values()) {
			assertThatIllegalStateException().isThrownBy(() -> run(pause, new FailingLock(1, Integer.MAX_VALUE)))
				.withMessage("no lease");
		}
	}

	@Test
	void ownerThatFailsBeforeItsPauseEndsTheRace() {
		assertThatIllegalStateException()
			.isThrownBy(() -> run(PausePoint.BEFORE_COMMIT, new FailingLock(Integer.MAX_VALUE, 1)))
			.withMessage("no write");
	}

	@Test
	void successorThatGetsNoLeaseEndsTheRace() {
		for (PausePoint pause : PausePoint.values()) {
			assertThatIllegalStateException().isThrownBy(() -> run(pause, new FailingLock(2, Integer.MAX_VALUE)))
				.withMessage("no lease");
		}
	}

	@Test
	void successorThatFailsToWriteEndsTheRace() {
		assertThatIllegalStateException()
			.isThrownBy(() -> run(PausePoint.BEFORE_WRITE, new FailingLock(Integer.MAX_VALUE, 1)))
			.withMessage("no write");
	}

	private void run(PausePoint pause, RaceLock lock) {
		long documentId = this.database.create("draft").id();
		RaceLog log = new RaceLog();
		try {
			new Race(documentId, RacePlan.of(pause), lock, this.database, log).run();
		}
		finally {
			assertThat(log.events()).extracting(RaceEvent::event).doesNotContain(RaceEventType.REJECTED);
		}
	}

	/**
	 * Fails at the given call.
	 */
	private final class FailingLock implements RaceLock {

		private final AtomicInteger untilLeaseFails;

		private final AtomicInteger untilWriteFails;

		FailingLock(int leaseThatFails, int writeThatFails) {
			this.untilLeaseFails = new AtomicInteger(leaseThatFails);
			this.untilWriteFails = new AtomicInteger(writeThatFails);
		}

		@Override
		public void withLease(long documentId, Duration leaseTime, Consumer<RaceLease> work) {
			if (this.untilLeaseFails.decrementAndGet() == 0) {
				throw new IllegalStateException("no lease");
			}
			RaceTests.this.unfencedLock.withLease(documentId, leaseTime, work);
		}

		@Override
		public void write(long documentId, String title) {
			if (this.untilWriteFails.decrementAndGet() == 0) {
				throw new IllegalStateException("no write");
			}
			RaceTests.this.unfencedLock.write(documentId, title);
		}

	}

}
