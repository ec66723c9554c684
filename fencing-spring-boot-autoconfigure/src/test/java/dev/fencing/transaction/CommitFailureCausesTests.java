package dev.fencing.transaction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class CommitFailureCausesTests {

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void causesThatGoRoundInCirclesAreNoEndlessSearch() {
		Exception inner = new Exception("inner");
		Exception outer = new Exception("outer", inner);
		inner.initCause(outer);
		assertThat(CommitOutcome.isFromDatabase(outer)).isFalse();
		assertThat(CommitOutcome.isRefusal(outer)).isFalse();
		assertThat(CommitOutcome.of(outer)).isEqualTo(CommitOutcome.REFUSED);
	}

}
