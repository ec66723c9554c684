package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What was committed in time is the caller's result, also when the lease is found to be
 * lost before the locked code has returned.
 */
@Timeout(60)
class LossAfterCommitTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private static final String KEY = "{fencing}:lease:counter";

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy network = this.redis.proxy();

	private final LockingProcess process = this.redis.process(this.network, Duration.ofMillis(1500));

	private final FencedStack stack = FencedStack
		.on(TestDatabase.POSTGRESQL, this.redis.provider(RedisFixture.CLOCK_FLOOR), true)
		.withCounter();

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private final AtomicInteger losses = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private final FencedLockTemplate locks = this.process.locks(this.stack.registry(), new FencingListener() {

		@Override
		public void leaseLost(FencingContext context) {
			LossAfterCommitTests.this.losses.incrementAndGet();
		}

		@Override
		public void leaseEnded(FencingContext context, Duration held) {
			LossAfterCommitTests.this.ended.incrementAndGet();
		}

		@Override
		public void rejected(Rejection rejection) {
			LossAfterCommitTests.this.rejections.add(rejection);
		}

	});

	@AfterEach
	void stop() {
		this.stack.close();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void resultIsReturned(Loss loss) {
		String result = this.locks.execute(REQUEST, (context) -> {
			this.stack.transaction().executeWithoutResult((status) -> add(1));
			lose(loss, context);
			return "result";
		});
		assertOutcome(loss, result);
	}

	/**
	 * As with both annotations on one method: the transaction's end is the last that
	 * happens under the lease.
	 */
	@ParameterizedTest
	@EnumSource
	void resultOfTheTransactionIsReturned(Loss loss) {
		String result = this.locks.execute(REQUEST, (context) -> this.stack.transaction().execute((status) -> {
			add(1);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCompletion(int completion) {
					assertThat(completion).isEqualTo(STATUS_COMMITTED);
					lose(loss, context);
				}

			});
			return "result";
		}));
		assertOutcome(loss, result);
	}

	private void lose(Loss loss, FencingContext context) {
		loss.happen(this);
		await().until(context::isLost);
		await().until(() -> this.losses.get() == 1);
	}

	private void assertOutcome(Loss loss, String result) {
		assertThat(result).isEqualTo("result");
		assertThat(this.rejections).isEmpty();
		assertThat(this.losses).hasValue(1);
		assertThat(this.ended).hasValue(1);
		assertThat(this.stack.counter()).isEqualTo((loss == Loss.SUCCESSOR_HAS_WRITTEN) ? 101 : 1);
		assertThat(FencingContext.current()).isEmpty();
		assertThat(this.process.pending()).isZero();
		if (loss == Loss.LEASE_IS_ANOTHERS) {
			assertThat(this.redis.raw().get(KEY)).as("not released by the one who lost it").endsWith(":successor");
		}
	}

	private void add(int amount) {
		this.stack.jdbc().update("update counter set amount = amount + ?", amount);
	}

	private void letSuccessorWrite() {
		this.redis.raw().del(KEY);
		// On another thread, since this one has the lease already
		CompletableFuture
			.runAsync(
					() -> this.stack.locks()
						.executeWithoutResult(REQUEST,
								(successor) -> this.stack.transaction().executeWithoutResult((status) -> add(100))),
					this.process.threads())
			.orTimeout(20, TimeUnit.SECONDS)
			.join();
	}

	/**
	 * How the lease is lost.
	 */
	enum Loss {

		LEASE_IS_GONE {

			@Override
			void happen(LossAfterCommitTests test) {
				test.redis.raw().del(KEY);
			}

		},

		LEASE_IS_ANOTHERS {

			@Override
			void happen(LossAfterCommitTests test) {
				test.redis.raw().psetex(KEY, 30_000, Long.MAX_VALUE / 10_000_000 + ":successor");
			}

		},

		SUCCESSOR_HAS_WRITTEN {

			@Override
			void happen(LossAfterCommitTests test) {
				test.letSuccessorWrite();
			}

		},

		/**
		 * The release is not answered either.
		 */
		REDIS_IS_SILENT {

			@Override
			void happen(LossAfterCommitTests test) {
				test.network.hold(Direction.REQUESTS);
			}

		};

		abstract void happen(LossAfterCommitTests test);

	}

}
