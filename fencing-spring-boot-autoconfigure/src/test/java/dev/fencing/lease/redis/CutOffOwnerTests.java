package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an owner that has lost Redis, and still reaches the database.
 */
@Timeout(60)
class CutOffOwnerTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private static final String KEY = "{fencing}:lease:counter";

	private static final Duration LEASE_TIME = Duration.ofMillis(600);

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy network = this.redis.proxy();

	private final LockingProcess cutOff = this.redis.process(this.network, LEASE_TIME);

	private final FencedStack stack = FencedStack
		.on(TestDatabase.POSTGRESQL, this.redis.provider(RedisFixture.CLOCK_FLOOR), true)
		.withCounter();

	private final FencedJdbcTemplate fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(),
			this.stack.registry(), "fencing_token");

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private final FencedLockTemplate locks = this.cutOff.locks(this.stack.registry(), new FencingListener() {

		@Override
		public void rejected(Rejection rejection) {
			CutOffOwnerTests.this.rejections.add(rejection);
		}

	});

	@AfterEach
	void stop() {
		this.stack.close();
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nothingIsCommittedOnceTheSuccessorHasWritten(boolean guardedRow) {
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			add(1, guardedRow);
			this.network.hold(Direction.REQUESTS);
			// On another thread, since this one has the lease already
			CompletableFuture
				.runAsync(() -> this.stack.locks().executeWithoutResult(REQUEST, (successor) -> add(100, guardedRow)),
						this.cutOff.threads())
				.join();
			assertThat(context.isLost()).isTrue();
			assertRefused(guardedRow);
			assertRefused(!guardedRow);
		});
		assertOutcome(2);
	}

	/**
	 * There is no newer token in the row yet: it is the registration of the successor
	 * that keeps the write out.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nothingIsCommittedBeforeTheSuccessorHasWritten(boolean guardedRow) throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(1);
		CompletableFuture<Void> successor = new CompletableFuture<>();
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			add(1, guardedRow);
			this.network.hold(Direction.REQUESTS);
			successor.completeAsync(() -> {
				this.stack.locks().executeWithoutResult(REQUEST, (later) -> {
					begun.countDown();
					awaitLatch(refused);
					add(100, guardedRow);
				});
				return null;
			});
			awaitLatch(begun);
			assertRefused(guardedRow);
			refused.countDown();
		});
		successor.get(20, TimeUnit.SECONDS);
		assertOutcome(1);
	}

	@Test
	void withoutASuccessorTheDatabaseAcceptsWhatAnExpiredOwnerCommits() {
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			this.network.hold(Direction.REQUESTS);
			await().until(context::isLost);
			await().until(() -> this.redis.raw().get(KEY) == null);
			add(1, true);
			add(1, false);
		});
		assertThat(this.stack.counter()).isEqualTo(2);
		assertThat(this.rejections).isEmpty();
	}

	@Test
	void helperRefusesByItselfOnceRedisHasToldOfTheSuccessor() {
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			this.redis.raw().del(KEY);
			this.redis.raw().psetex(KEY, 20_000, (context.generation() + 1) + ":successor");
			await().until(context::isLost);
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update("update counter set amount = amount + 1"))
				.matches((ex) -> ex.getGuard() == Rejection.Guard.LEASE)
				.matches((ex) -> ex.getReason() == Rejection.Reason.STALE);
			assertThat(this.rejections).hasSize(1);
		});
		assertThat(this.stack.counter()).isZero();
		assertThat(this.rejections).hasSize(1);
		assertThat(this.redis.raw().get(KEY)).as("not released by the one who lost it").endsWith(":successor");
	}

	@Test
	void currentOwnerCommitsThoughItsLeaseIsGoneFromRedis() {
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			this.redis.raw().del(KEY);
			await().until(context::isLost);
			add(1, true);
			add(1, false);
		});
		assertThat(this.stack.counter()).isEqualTo(2);
		assertThat(this.rejections).isEmpty();
	}

	private void add(int amount, boolean guardedRow) {
		String sql = "update counter set amount = amount + " + amount;
		this.stack.transaction().executeWithoutResult((status) -> {
			int rows = guardedRow ? this.fencedJdbc.update(sql) : this.stack.jdbc().update(sql);
			assertThat(rows).isOne();
		});
	}

	private void assertRefused(boolean guardedRow) {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> add(10, guardedRow))
			.matches((ex) -> ex.getReason() == Rejection.Reason.STALE);
	}

	/**
	 * See that the successor's write stands, on top of what the former owner wrote in
	 * time, and that it was not disturbed.
	 */
	private void assertOutcome(int refusals) {
		assertThat(this.stack.counter()).isEqualTo(101);
		assertThat(this.rejections).hasSize(refusals)
			.allSatisfy((rejection) -> assertThat(rejection.acceptedToken()).isGreaterThan(rejection.rejectedToken()));
		assertThat(this.stack.rejections()).isEmpty();
		assertThat(FencingContext.current()).isEmpty();
		this.network.letGo(Direction.REQUESTS);
		assertThat(this.cutOff.pending()).isZero();
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
