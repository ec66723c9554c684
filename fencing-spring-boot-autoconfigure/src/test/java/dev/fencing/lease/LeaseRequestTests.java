package dev.fencing.lease;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LeaseRequest}.
 */
class LeaseRequestTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@ParameterizedTest
	@ValueSource(strings = { "", ":", "a:b" })
	void nonceThatCouldNotBeReadBackIsRefused(String nonce) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LeaseRequest("document", nonce, SECOND, SECOND))
			.withMessageContaining("'" + nonce + "'");
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1 })
	void timesThatAreNotMoreThanZeroAreRefused(long nanos) {
		Duration time = Duration.ofNanos(nanos);
		assertThatIllegalArgumentException().isThrownBy(() -> new LeaseRequest("document", "a", time, SECOND))
			.withMessageContaining("lease time");
		assertThatIllegalArgumentException().isThrownBy(() -> new LeaseRequest("document", "a", SECOND, time))
			.withMessageContaining("timeout");
	}

	@Test
	void shortestTimesAreAccepted() {
		Duration shortest = Duration.ofNanos(1);
		assertThat(new LeaseRequest("", "a", shortest, shortest).leaseTime()).isEqualTo(shortest);
	}

}
