package dev.fencing.lease.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.FencingContext;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseHold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for owners that give back what they never had, or do not have any more.
 */
@Timeout(60)
class OverdueOwnerTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private static final String KEY = "{fencing}:lease:document:42";

	private static final Duration LEASE_TIME = Duration.ofMillis(600);

	private final RedisFixture redis = new RedisFixture();

	private final LockingProcess process = this.redis.process(LEASE_TIME);

	private final LockingProcess other = this.redis.process(Duration.ofSeconds(30));

	@BeforeEach
	void connect() {
		this.process.release(this.process.acquire(REQUEST));
	}

	@AfterEach
	void stop() {
		assertThat(FencingContext.current()).isEmpty();
		assertThat(this.process.pending()).isZero();
		this.redis.close();
	}

	@Test
	void whoWasNotGrantedTheLeaseReleasesNothing() {
		LeaseHold holder = this.other.acquire(REQUEST);
		CountDownLatch ran = new CountDownLatch(1);
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(() -> this.process.locks()
			.executeWithoutResult(REQUEST.waitTime(Duration.ofMillis(300)), (context) -> ran.countDown()));
		assertThat(ran.getCount()).isOne();
		assertThat(this.redis.raw().get(KEY)).isEqualTo(valueOf(holder));
		this.other.release(holder);
	}

	@Test
	void resultOfAnOverdueOwnerStandsAndItsSuccessorKeepsTheLease() {
		LeaseHold[] successor = new LeaseHold[1];
		String result = this.process.locks().execute(REQUEST, (context) -> {
			successor[0] = takenOver();
			await().until(context::isLost);
			return "done";
		});
		assertThat(result).isEqualTo("done");
		assertThat(this.redis.raw().get(KEY)).isEqualTo(valueOf(successor[0]));
		this.other.release(successor[0]);
	}

	@Test
	void failureOfAnOverdueOwnerIsNotReplaced() {
		LeaseHold[] successor = new LeaseHold[1];
		IOException failure = new IOException("of the work");
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.process.locks().execute(REQUEST, (context) -> {
				successor[0] = takenOver();
				throw failure;
			}))
			.isSameAs(failure)
			.satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		assertThat(this.redis.raw().get(KEY)).isEqualTo(valueOf(successor[0]));
		this.other.release(successor[0]);
	}

	@Test
	void resultStandsWhenRedisIsGone() {
		assertThat(this.process.locks().<String, RuntimeException>execute(REQUEST, (context) -> {
			this.redis.server().stop();
			return "done";
		})).isEqualTo("done");
	}

	@Test
	void leaseEndsWithTheLongestHold() throws Exception {
		Duration longest = LEASE_TIME.multipliedBy(2);
		long begin = System.nanoTime();
		LeaseHold hold = this.process.acquire(REQUEST.maxHold(longest));
		CompletableFuture<LeaseHold> waiting = this.other.acquiring(REQUEST);
		LeaseHold next = waiting.get(20, TimeUnit.SECONDS);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(LEASE_TIME);
		assertThat(hold.isLost()).as("before the other has it").isTrue();
		assertThat(hold.heldFor()).isGreaterThanOrEqualTo(longest.minusMillis(200)).isLessThan(longest.plusMillis(600));
		await().until(() -> this.process.lost() == 1);
		assertThat(this.process.renewed()).isPositive();
		this.process.release(hold);
		assertThat(this.redis.raw().get(KEY)).isEqualTo(valueOf(next));
		this.other.release(next);
	}

	/**
	 * Let the lease run out, and another process take it.
	 */
	private LeaseHold takenOver() {
		this.redis.raw().del(KEY);
		return this.other.acquire(REQUEST);
	}

	private static String valueOf(LeaseHold hold) {
		return hold.lease().generation() + ":" + hold.lease().nonce();
	}

}
