package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static dev.fencing.lease.redis.RedisFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.is;

/**
 * Tests for how few keys there are, and for what happens when even those are gone.
 */
@Timeout(90)
class LostKeysTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private static final String LEASE = "{fencing}:lease:counter";

	private static final String COUNTER = "{fencing}:counter";

	private final RedisFixture redis = new RedisFixture();

	private final FencedStack stack = FencedStack
		.on(TestDatabase.POSTGRESQL, this.redis.provider(RedisFixture.SETTINGS), true)
		.withCounter();

	private final FencedJdbcTemplate fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(),
			this.stack.registry(), "fencing_token");

	private final Events events = new Events();

	@AfterEach
	void stop() {
		this.stack.close();
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void locksUsedOnceLeaveOneKeyForEachPartition(int partitions) {
		RedisLeaseProvider provider = this.redis.provider(RedisFixture.SETTINGS.withPartitions(partitions));
		IntStream.range(0, 10_000).parallel().forEach((i) -> {
			LeaseAttempt attempt = provider.acquire(new LeaseRequest("name-" + i, "n" + i, TIMEOUT, TIMEOUT));
			assertThat(provider.release(((LeaseAttempt.Granted) attempt).lease())).isTrue();
		});
		assertThat(this.redis.keys()).hasSize(partitions).allMatch((key) -> key.endsWith("}:counter"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void counterThatRanOutMakesNoCurrentOwnerStale(boolean clockFloor) {
		FencedLockTemplate locks = locks(clockFloor ? RedisFixture.CLOCK_FLOOR : RedisFixture.SETTINGS, TIMEOUT);
		IntStream.range(0, 3).forEach((i) -> locks.executeWithoutResult(REQUEST, this::add));
		long stamp = stamp();
		assertThat(this.redis.raw().pexpire(COUNTER, 1)).isTrue();
		await().until(() -> this.redis.raw().exists(COUNTER) == 0);
		// Within one millisecond the clock may give the same number again
		await().pollDelay(Duration.ZERO).until(() -> System.currentTimeMillis() > stamp / 1_000_000);
		locks.executeWithoutResult(REQUEST, this::add);
		assertThat(stamp()).isGreaterThan(stamp);
		assertThat(this.stack.counter()).isEqualTo(4);
		assertThat(this.events.rejections).extracting(Rejection::reason).doesNotContain(Rejection.Reason.STALE);
		assertThat(this.events.regressions).hasSize(clockFloor ? 0 : 1)
			.allMatch((regression) -> regression.reason() == Rejection.Reason.REGRESSED);
		assertThat(this.redis.raw().pttl(COUNTER)).as("no time to live").isEqualTo(-1);
	}

	@Test
	void clockFloorMayBeSwitchedOffAndOnAndOnlyALostCounterNeedsHealing() {
		FencedLockTemplate withFloor = locks(RedisFixture.CLOCK_FLOOR, TIMEOUT);
		FencedLockTemplate without = locks(RedisFixture.SETTINGS, TIMEOUT);
		long last = 0;
		for (FencedLockTemplate locks : List.of(withFloor, without, withFloor, without)) {
			locks.executeWithoutResult(REQUEST, this::add);
			assertThat(stamp()).isGreaterThan(last);
			last = stamp();
		}
		assertThat(this.events.rejections).isEmpty();
		this.redis.raw().del(COUNTER);
		without.executeWithoutResult(REQUEST, this::add);
		assertThat(stamp()).isGreaterThan(last);
		assertThat(this.events.regressions).singleElement()
			.satisfies((regression) -> assertThat(regression.reason()).isEqualTo(Rejection.Reason.REGRESSED));
		withFloor.executeWithoutResult(REQUEST, this::add);
		assertThat(this.events.rejections).hasSameElementsAs(this.events.regressions);
		assertThat(this.stack.counter()).isEqualTo(6);
	}

	@ParameterizedTest
	@EnumSource
	void lostLeaseIsNotRecreatedAndItsHolderIsRefused(Loss loss) {
		LockingProcess process = this.redis.process(this.redis.provider(RedisFixture.SETTINGS), Duration.ofMillis(900));
		FencedLockTemplate locks = process.locks(this.stack.registry(), this.events);
		// Numbers that a counter which starts again has to come past
		IntStream.range(0, 3).forEach((i) -> locks.executeWithoutResult(REQUEST, this::add));
		locks.executeWithoutResult(REQUEST, (context) -> {
			add(context);
			lose(loss);
			await().untilAtomic(this.events.lost, is(1));
			assertThat(context.isLost()).isTrue();
			assertThat(this.redis.raw().exists(LEASE)).isZero();
			assertThat(CompletableFuture.supplyAsync(() -> nextGeneration(locks), process.threads()).join())
				.isGreaterThan(context.generation());
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> add(context));
		});
		assertThat(this.stack.counter()).as("what was accepted").isEqualTo(5);
		assertThat(this.redis.raw().exists(LEASE)).isZero();
	}

	private long nextGeneration(FencedLockTemplate locks) {
		return locks.<Long, RuntimeException>execute(REQUEST, (context) -> {
			add(context);
			return context.generation();
		});
	}

	private void lose(Loss loss) {
		if (loss == Loss.FLUSHALL) {
			this.redis.raw().flushall();
			return;
		}
		this.redis.raw().configSet("maxmemory-policy", "allkeys-lru");
		this.redis.raw().configSet("maxmemory", "8mb");
		assertThat(this.redis.provider(RedisFixture.SETTINGS).durability(TIMEOUT).findings())
			.extracting(DurabilityFinding::value)
			.contains("allkeys-lru");
		String ballast = "x".repeat(50_000);
		for (int i = 0; this.redis.raw().exists(LEASE) + this.redis.raw().exists(COUNTER) > 0; i++) {
			this.redis.raw().set("ballast:" + i, ballast);
		}
		this.redis.raw().configSet("maxmemory", "0");
	}

	private FencedLockTemplate locks(RedisLeaseSettings settings, Duration leaseTime) {
		return this.redis.process(this.redis.provider(settings), leaseTime).locks(this.stack.registry(), this.events);
	}

	private void add(FencingContext context) {
		this.fencedJdbc.update("update counter set amount = amount + 1");
	}

	private long stamp() {
		Long stamp = this.stack.jdbc().queryForObject("select fencing_token from counter", Long.class);
		return (stamp != null) ? stamp : -1;
	}

	/**
	 * How keys get lost.
	 */
	enum Loss {

		EVICTION, FLUSHALL

	}

	private static final class Events implements FencingListener {

		private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

		private final List<Rejection> regressions = new CopyOnWriteArrayList<>();

		private final AtomicInteger lost = new AtomicInteger();

		@Override
		public void rejected(Rejection rejection) {
			this.rejections.add(rejection);
		}

		@Override
		public void issuerRegressed(Rejection rejection) {
			this.regressions.add(rejection);
		}

		@Override
		public void leaseLost(FencingContext context) {
			this.lost.incrementAndGet();
		}

	}

}
