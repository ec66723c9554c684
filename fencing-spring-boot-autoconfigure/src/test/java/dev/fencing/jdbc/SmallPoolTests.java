package dev.fencing.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A pool with a single connection is enough, also one whose connections do not commit by
 * themselves. Whatever needed a second connection would wait for it in vain.
 */
@ParameterizedClass
@CsvSource({ "POSTGRESQL, true", "POSTGRESQL, false", "H2, true", "H2, false", "MARIADB, true", "MARIADB, false" })
class SmallPoolTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	@Parameter(0)
	TestDatabase database;

	@Parameter(1)
	boolean autoCommit;

	private FencedStack stack;

	private FencedJdbcTemplate fencedJdbc;

	@BeforeEach
	void open() {
		this.stack = FencedStack.on(this.database, this.provider, true).withCounter();
		HikariDataSource full = this.stack.pool();
		HikariDataSource small = new HikariDataSource();
		small.setJdbcUrl(full.getJdbcUrl());
		small.setUsername(full.getUsername());
		small.setPassword(full.getPassword());
		small.setMaximumPoolSize(1);
		small.setConnectionTimeout(3_000);
		small.setAutoCommit(this.autoCommit);
		full.close();
		this.stack = FencedStack.on(small, this.database, (dataSource) -> dataSource, this.provider);
		this.fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(), this.stack.registry(),
				"fencing_token");
	}

	@AfterEach
	void close() {
		this.stack.assertUnused("counter");
		this.stack.close();
	}

	@Test
	void lockedTransaction() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> increment());
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void refusedCommit() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
				this.stack.takeOver(context);
				increment();
			}));
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void refusedCommitThatIsClassifiedAfterwards() {
		TransactionTemplate repeatableRead = this.stack.transaction();
		repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> repeatableRead.executeWithoutResult((status) -> {
				this.stack.jdbc().update("update counter set amount = 1");
				this.stack.takeOver(context);
			})));
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void refusedRegistration() {
		this.stack.locks().executeWithoutResult(REQUEST, this.stack::takeOver);
		// Healed, since the lease is still the new owner's
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> increment());
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void helperInsideATransaction() {
		this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> this.stack.transaction()
				.executeWithoutResult((status) -> this.fencedJdbc.update("update counter set amount = amount + 1")));
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void helperOutsideATransaction() {
		this.stack.locks()
			.executeWithoutResult(REQUEST,
					(context) -> this.fencedJdbc.update("update counter set amount = amount + 1"));
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void helperWhoseRowRefuses() {
		this.stack.transaction()
			.executeWithoutResult(
					(status) -> this.stack.jdbc().update("update counter set fencing_token = " + Long.MAX_VALUE));
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> this.stack.transaction()
				.executeWithoutResult((status) -> this.fencedJdbc.update("update counter set amount = amount + 1"))));
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void ownerAsksOutsideATransaction() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			context.assertCurrent();
			this.stack.takeOver(context);
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(context::assertCurrent);
		});
	}

	@Test
	void nobodyHoldsAConnectionWhileWaitingForALease() throws Exception {
		List<CompletableFuture<Void>> waiting = this.stack.locks().execute(REQUEST, (context) -> {
			CountDownLatch started = new CountDownLatch(4);
			List<CompletableFuture<Void>> others = IntStream.range(0, 4)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> {
					started.countDown();
					this.stack.locks()
						.executeWithoutResult(REQUEST.waitTime(Duration.ofSeconds(30)), (next) -> increment());
				}, (task) -> new Thread(task, "waiting-" + i).start()))
				.toList();
			assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.untilAsserted(
						() -> assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero());
			return others;
		});
		CompletableFuture.allOf(waiting.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		assertThat(this.stack.counter()).isEqualTo(4);
	}

	private void increment() {
		this.stack.transaction()
			.executeWithoutResult((status) -> this.stack.jdbc().update("update counter set amount = amount + 1"));
	}

}
