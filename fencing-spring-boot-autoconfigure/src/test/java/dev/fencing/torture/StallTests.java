package dev.fencing.torture;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Stall}.
 */
class StallTests {

	@Test
	void whatStaysTheSameForTooLongFails() {
		Stall stall = new Stall(Duration.ofNanos(-1));
		stall.check("asleep");
		assertThatIllegalStateException().isThrownBy(() -> stall.check("asleep")).withMessageContaining("asleep");
	}

	@Test
	void whatChangesGoesOn() {
		Stall stall = new Stall(Duration.ofNanos(-1));
		stall.check(1);
		assertThatCode(() -> stall.check(2)).doesNotThrowAnyException();
	}

	@Test
	void whatStaysTheSameForAWhileGoesOn() {
		Stall stall = new Stall(Stall.LONGEST);
		stall.check(1);
		assertThatCode(() -> stall.check(1)).doesNotThrowAnyException();
	}

}
