package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two processes that have the same schedule, and clocks that differ by more
 * than the work takes.
 */
@Timeout(30)
class MinimumHoldTests {

	private static final LockRequest NIGHTLY = LockRequest.of("nightly");

	private static final String KEY = "{fencing}:lease:nightly";

	private static final Duration MINIMUM = Duration.ofSeconds(2);

	private final RedisFixture redis = new RedisFixture();

	private final LockingProcess first = this.redis.process(Duration.ofSeconds(30));

	private final LockingProcess second = this.redis.process(Duration.ofSeconds(30));

	private final AtomicInteger runs = new AtomicInteger();

	@AfterEach
	void stop() {
		assertThat(this.first.pending() + this.second.pending()).isZero();
		this.redis.close();
	}

	@Test
	void workThatIsDoneQuicklyRunsOnceWithAMinimumHold() {
		LockRequest request = NIGHTLY.minHold(MINIMUM);
		assertThat(this.first.locks().tryExecute(request, (context) -> this.runs.incrementAndGet())).isPresent();
		assertThat(this.second.locks().tryExecute(request, (context) -> this.runs.incrementAndGet())).isEmpty();
		assertThat(this.first.locks().tryExecute(request, (context) -> this.runs.incrementAndGet())).isEmpty();
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void workThatIsDoneQuicklyRunsTwiceWithoutOne() {
		assertThat(this.first.locks().tryExecute(NIGHTLY, (context) -> this.runs.incrementAndGet())).isPresent();
		assertThat(this.second.locks().tryExecute(NIGHTLY, (context) -> this.runs.incrementAndGet())).isPresent();
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void minimumHoldIsNotLongerThanItSays() {
		long begin = System.nanoTime();
		this.first.locks().executeWithoutResult(NIGHTLY.minHold(MINIMUM), (context) -> this.runs.incrementAndGet());
		assertThat(this.redis.raw().pttl(KEY)).as("though the lease time is longer").isBetween(1L, MINIMUM.toMillis());
		this.second.release(this.second.acquire(NIGHTLY));
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(MINIMUM);
		assertThat(this.redis.raw().exists(KEY)).isZero();
	}

	@Test
	void workThatTookLongerIsFreeAtOnce() {
		LockRequest request = NIGHTLY.minHold(Duration.ofMillis(1));
		this.first.locks().executeWithoutResult(request, (context) -> {
			while (context.remaining().compareTo(Duration.ofSeconds(30).minusMillis(2)) > 0) {
				Thread.onSpinWait();
			}
		});
		assertThat(this.redis.raw().exists(KEY)).isZero();
	}

}
