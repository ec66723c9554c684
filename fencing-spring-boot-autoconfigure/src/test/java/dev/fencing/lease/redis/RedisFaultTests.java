package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.FencingContext;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseHold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locks over a Redis that answers with errors: what is locked does not run, and
 * all is well again when the fault is over.
 */
@Timeout(60)
class RedisFaultTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private static final String KEY = "{fencing}:lease:document:42";

	private static final String COUNTER = "{fencing}:counter";

	private static final Duration LEASE_TIME = Duration.ofSeconds(1);

	private final RedisFixture redis = new RedisFixture();

	private final LockingProcess process = this.redis.process(LEASE_TIME);

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void connect() {
		run();
		assertThat(this.runs).hasValue(1);
	}

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void nothingRunsWithoutALease(RedisFault fault) {
		fault.begin(this.redis.raw());
		assertRefused(fault.name());
		assertRefused(fault.name());
		assertThat(this.runs).hasValue(1);
		fault.end(this.redis.raw());
		assertWellAgain();
	}

	@ParameterizedTest
	@EnumSource
	void waitersAreToldOfTheFault(RedisFault fault) {
		LeaseHold hold = this.redis.process(Duration.ofSeconds(30)).acquire(REQUEST);
		CompletableFuture<Void> waiting = CompletableFuture.runAsync(this::run, this.process.threads());
		await().until(() -> this.redis.raw().exists("{fencing}:waiting:document:42") == 1);
		fault.begin(this.redis.raw());
		assertThat(waiting).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LeaseProviderException.class)
			.withMessageContaining(fault.name());
		fault.end(this.redis.raw());
		assertThat(this.redis.raw().get(KEY)).isEqualTo("2:" + hold.lease().nonce());
		this.redis.raw().del(KEY);
		assertWellAgain();
	}

	@ParameterizedTest
	@EnumSource(names = { "READONLY", "MISCONF" })
	void leaseThatCannotBeRenewedIsLostOnceAndLaterOnesAreRenewed(RedisFault fault) {
		LeaseHold hold = this.process.acquire(REQUEST);
		fault.begin(this.redis.raw());
		await().until(() -> this.process.lost() == 1);
		assertThat(this.process.failed()).isPositive();
		assertThat(hold.isLost()).isTrue();
		fault.end(this.redis.raw());
		this.process.release(hold);
		assertWellAgain();
		assertThat(this.process.lost()).isOne();
	}

	@Test
	void leaseIsRenewedWhileThereIsNoMemory() {
		LeaseHold hold = this.process.acquire(REQUEST);
		RedisFault.OOM.begin(this.redis.raw());
		await().until(() -> this.process.renewed() >= 5);
		assertThat(hold.isLost()).isFalse();
		this.process.release(hold);
		assertThat(this.redis.raw().exists(KEY)).isZero();
	}

	@Test
	void nothingRunsWhileRedisLoadsItsData() {
		CompletableFuture<String> loading = this.redis.load();
		assertRefused("LOADING");
		assertThat(this.runs).hasValue(1);
		assertThat(loading).as("loads still, so that it was asked while it did").isNotDone();
		assertThat(loading).succeedsWithin(Duration.ofSeconds(30));
		assertWellAgain();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 3 })
	void scriptsThatRedisHasForgottenAreSentAgain(int forgottenBefore) {
		flushIf(forgottenBefore == 0);
		LeaseHold hold = this.process.acquire(REQUEST);
		assertThat(hold.lease().generation()).isEqualTo(2);
		flushIf(forgottenBefore == 1);
		await().until(() -> this.process.renewed() >= 1);
		flushIf(forgottenBefore == 2);
		int before = this.process.renewed();
		await().until(() -> this.process.renewed() >= before + 2);
		flushIf(forgottenBefore == 3);
		this.process.release(hold);
		assertThat(this.redis.keys()).containsExactly(COUNTER);
		assertThat(this.process.lost()).isZero();
	}

	private void flushIf(boolean condition) {
		if (condition) {
			this.redis.raw().scriptFlush();
		}
	}

	private void run() {
		this.process.locks().executeWithoutResult(REQUEST, (context) -> this.runs.incrementAndGet());
	}

	private void assertRefused(String message) {
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(this::run).withMessageContaining(message);
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> this.process.locks().tryExecute(REQUEST, (context) -> this.runs.incrementAndGet()))
			.withMessageContaining(message);
		assertThat(FencingContext.current()).isEmpty();
		assertThat(this.process.pending()).isZero();
		assertThat(this.process.awaited()).isZero();
	}

	/**
	 * Retry what was refused, and see that leases are renewed.
	 */
	private void assertWellAgain() {
		int before = this.runs.get();
		run();
		assertThat(this.runs).hasValue(before + 1);
		int renewedBefore = this.process.renewed();
		LeaseHold hold = this.process.acquire(REQUEST);
		await().until(() -> this.process.renewed() >= renewedBefore + 4);
		assertThat(hold.isLost()).isFalse();
		assertThat(this.redis.raw().pttl(KEY)).isPositive();
		this.process.release(hold);
		assertThat(this.redis.keys()).containsExactly(COUNTER);
		assertThat(this.process.pending()).isZero();
	}

}
