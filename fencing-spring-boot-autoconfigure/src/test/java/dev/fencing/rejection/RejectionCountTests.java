package dev.fencing.rejection;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RejectionCount}.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RejectionCountTests {

	private static final int NUMBER = 2_000_000;

	@Test
	void noneIsMissingWhileItIsDropped() throws Exception {
		RejectionCount count = new RejectionCount(NUMBER);
		for (int i = 0; i < NUMBER; i++) {
			count.accept();
		}
		Thread dropping = new Thread(() -> {
			for (int i = 0; i < NUMBER; i++) {
				count.dropped();
			}
		});
		dropping.start();
		int missed = 0;
		while (dropping.isAlive()) {
			// In the order in which they move
			int waiting = count.waitingNumber();
			missed += (waiting + count.droppedNumber() < NUMBER) ? 1 : 0;
		}
		dropping.join();
		assertThat(missed).isZero();
		assertThat(count.waitingNumber()).isZero();
		assertThat(count.droppedNumber()).isEqualTo(NUMBER);
	}

}
