package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class RenewalNewsTests {

	private final LeaseHold hold = new LeaseHold("document",
			new HoldTimes(Duration.ofSeconds(30), Duration.ZERO, null));

	@Test
	void newsThatNoThreadCanTellAreNoFailureOfTheRenewal() {
		this.hold.report(new LeaseRenewerTests.RecordingCallback());
		try (RenewalNews news = new RenewalNews((task) -> {
			throw new OutOfMemoryError("unable to create native thread");
		})) {
			assertThatNoException().isThrownBy(() -> {
				news.tell(this.hold, (callback) -> callback.renewed(0.5));
				news.tellLoss(this.hold);
			});
		}
	}

	@Test
	void callbackThatFailsKeepsNoOtherFromBeingTold() throws InterruptedException {
		CountDownLatch told = new CountDownLatch(1);
		this.hold.report(new LeaseRenewerTests.RecordingCallback());
		try (RenewalNews news = new RenewalNews()) {
			news.tell(this.hold, (callback) -> {
				throw new StackOverflowError("none really");
			});
			news.tell(this.hold, (callback) -> told.countDown());
			assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
		}
	}

}
