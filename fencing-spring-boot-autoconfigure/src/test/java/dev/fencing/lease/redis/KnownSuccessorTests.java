package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcClient;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.jdbc.FencedNamedParameterJdbcTemplate;
import dev.fencing.lease.LeaseHold;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.RecordingDataSource;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Once Redis has told an owner of its successor, the helpers do not trouble the database
 * any more.
 */
@Timeout(60)
class KnownSuccessorTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private static final String KEY = "{fencing}:lease:counter";

	private static final String SQL = "update counter set amount = amount + 1";

	private final RedisFixture redis = new RedisFixture();

	private final LockingProcess process = this.redis.process(Duration.ofSeconds(3));

	private final LockingProcess successor = this.redis.process(Duration.ofSeconds(30));

	private RecordingDataSource dataSource;

	private final FencedStack stack = FencedStack
		.on(TestDatabase.POSTGRESQL.pool(), TestDatabase.POSTGRESQL,
				(pool) -> this.dataSource = new RecordingDataSource(pool), this.process.provider())
		.withCounter();

	private final FencedJdbcTemplate fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(),
			this.stack.registry(), "fencing_token");

	private final TransactionTemplate transaction = new TransactionTemplate(
			this.stack.guard(new JdbcTransactionManager(this.dataSource)));

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.stack.close();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsSent(Helper helper) {
		this.process.locks(this.stack.registry(), new FencingListener() {

			@Override
			public void rejected(Rejection rejection) {
				KnownSuccessorTests.this.rejections.add(rejection);
			}

		}).executeWithoutResult(REQUEST, (context) -> {
			Runnable write = () -> helper.write(this.fencedJdbc);
			Runnable writeInTransaction = () -> this.transaction.executeWithoutResult((status) -> write.run());
			assertAccepted(write);
			assertAccepted(writeInTransaction);
			LeaseHold later = takeOver(context);
			assertRefused(write, later);
			assertRefused(writeInTransaction, later);
			this.successor.release(later);
		});
		assertThat(this.stack.counter()).isEqualTo(2);
		assertThat(this.rejections).hasSize(2);
	}

	private LeaseHold takeOver(FencingContext context) {
		this.redis.raw().del(KEY);
		LeaseHold later = this.successor.acquire(REQUEST);
		await().until(context::isLost);
		return later;
	}

	private void assertAccepted(Runnable write) {
		this.dataSource.statements();
		this.dataSource.commits();
		write.run();
		assertThat(this.dataSource.statements()).isNotEmpty();
		assertThat(this.dataSource.commits()).isOne();
	}

	private void assertRefused(Runnable write, LeaseHold later) {
		this.dataSource.statements();
		this.dataSource.commits();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(write::run).satisfies((ex) -> {
			assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.LEASE);
			assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
		});
		assertThat(this.dataSource.statements()).isEmpty();
		assertThat(this.dataSource.commits()).isZero();
		assertThat(this.rejections).last()
			.satisfies((rejection) -> assertThat(rejection.acceptedToken())
				.isEqualTo(later.lease().generation() * 1_000_000));
	}

	/**
	 * The styles of writing.
	 */
	enum Helper {

		TEMPLATE {

			@Override
			void write(FencedJdbcTemplate fencedJdbc) {
				fencedJdbc.update(SQL);
			}

		},

		NAMED {

			@Override
			void write(FencedJdbcTemplate fencedJdbc) {
				new FencedNamedParameterJdbcTemplate(fencedJdbc).update(SQL, Map.of());
			}

		},

		CLIENT {

			@Override
			void write(FencedJdbcTemplate fencedJdbc) {
				FencedJdbcClient.create(fencedJdbc).sql(SQL).update();
			}

		};

		abstract void write(FencedJdbcTemplate fencedJdbc);

	}

}
