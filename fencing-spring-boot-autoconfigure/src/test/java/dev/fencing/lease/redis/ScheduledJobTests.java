package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LockRequest;
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.ResourceReport;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.Endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a job of some milliseconds that two instances start at the same time by their
 * clocks, one of which is late.
 */
@Timeout(60)
class ScheduledJobTests {

	private static final LockRequest PLAIN = LockRequest.of("nightly");

	private static final LockRequest HELD = PLAIN.minHold(Duration.ofSeconds(5));

	private static final Duration LATE = Duration.ofMillis(300);

	private static final Duration WORK = Duration.ofMillis(50);

	private final RedisFixture redis = new RedisFixture();

	private final List<LockingProcess> instances = List.of(this.redis.process(Duration.ofSeconds(30)),
			this.redis.process(Duration.ofSeconds(30)));

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void connect() {
		for (LockingProcess instance : this.instances) {
			instance.release(instance.acquire(LockRequest.of("warm-up")));
		}
	}

	@AfterEach
	void stop() {
		assertThat(this.instances).allMatch((instance) -> instance.pending() == 0);
		this.redis.close();
	}

	@Test
	void runsTwiceWithoutAShortestHold() {
		tick(PLAIN, null);
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void runsOnceWithAShortestHold() {
		tick(HELD, null);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void isNotRunAgainEarlyWhenItHasFailed() {
		tick(HELD, new UnsupportedOperationException());
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void operatorsSeeThatItIsDone() {
		FencingEndpoint endpoint = Endpoints.of(this.instances.get(1).provider(), "second", new RejectionLog(1));
		String[] owner = new String[1];
		this.instances.get(0).locks().executeWithoutResult(HELD, (context) -> {
			ResourceReport.Holder running = holder(endpoint);
			assertThat(running.released()).isFalse();
			owner[0] = running.owner();
		});
		ResourceReport.Holder done = holder(endpoint);
		assertThat(done.released()).isTrue();
		assertThat(done.owner()).isEqualTo(owner[0]);
		assertThat(Duration.parse(done.remaining())).isLessThanOrEqualTo(Duration.ofSeconds(5));
	}

	/**
	 * Let both instances start the job, the second one late, and not while the first one
	 * is at it, however slow the machine is.
	 */
	private void tick(LockRequest request, @Nullable RuntimeException failure) {
		long begin = System.nanoTime();
		if (failure == null) {
			assertThat(start(this.instances.get(0), request, null)).isTrue();
		}
		else {
			assertThatExceptionOfType(failure.getClass())
				.isThrownBy(() -> start(this.instances.get(0), request, failure));
		}
		await().pollInterval(Duration.ofMillis(5)).until(() -> passed(begin, LATE));
		start(this.instances.get(1), request, null);
	}

	private boolean start(LockingProcess instance, LockRequest request, @Nullable RuntimeException failure) {
		return instance.locks().tryExecuteWithoutResult(request, (context) -> {
			long begin = System.nanoTime();
			await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(() -> passed(begin, WORK));
			this.runs.incrementAndGet();
			if (failure != null) {
				throw failure;
			}
		});
	}

	private static boolean passed(long begin, Duration time) {
		return System.nanoTime() - begin >= time.toNanos();
	}

	private static ResourceReport.Holder holder(FencingEndpoint endpoint) {
		ResourceReport.Holder holder = ((ResourceReport) endpoint.fencing("nightly", null, null)).holder();
		assertThat(holder).isNotNull();
		return holder;
	}

}
