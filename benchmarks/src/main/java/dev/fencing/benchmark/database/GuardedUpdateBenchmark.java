package dev.fencing.benchmark.database;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.benchmark.server.BenchServers;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Many guarded updates in one locked transaction, so that lock and commit hardly count.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class GuardedUpdateBenchmark {

	/**
	 * How many rows an update writes one by one.
	 */
	static final int UPDATES = 100;

	/**
	 * How many rows a batch writes.
	 */
	static final int BATCH = 1000;

	private static final LockRequest REQUEST = LockRequest.of("accounts");

	/**
	 * Who guards the statements.
	 */
	@Param
	public GuardKind guard = GuardKind.HELPER;

	private @Nullable ConfigurableApplicationContext application;

	private @Nullable FencedLockTemplate locks;

	private @Nullable TransactionTemplate transactions;

	private @Nullable GuardedWriter writer;

	/**
	 * Start the application.
	 */
	@Setup
	public void start() {
		BenchTables.create();
		ConfigurableApplicationContext started = AccountsKind.FENCED.start(BenchServers.postgresUrl(), Map.of());
		this.application = started;
		this.locks = started.getBean(FencedLockTemplate.class);
		this.transactions = new TransactionTemplate(started.getBean(PlatformTransactionManager.class));
		this.writer = switch (this.guard) {
			case HELPER -> new HelperWriter(started.getBean(FencedJdbcTemplate.class));
			case HAND_WRITTEN -> new HandWrittenWriter(started.getBean(JdbcTemplate.class));
		};
	}

	/**
	 * Close the application.
	 */
	@TearDown
	public void close() {
		Objects.requireNonNull(this.application).close();
	}

	/**
	 * Update one row after the other.
	 * @return how many
	 */
	@Benchmark
	@OperationsPerInvocation(UPDATES)
	public int update() {
		return inLockedTransaction((context, accounts) -> {
			int updated = 0;
			for (long id = 0; id < UPDATES; id++) {
				updated += accounts.update(context, id);
			}
			return updated;
		});
	}

	/**
	 * Update many rows in a batch.
	 * @return how many
	 */
	@Benchmark
	@OperationsPerInvocation(BATCH)
	public int batch() {
		List<Long> ids = LongStream.range(0, BATCH).boxed().toList();
		return inLockedTransaction((context, accounts) -> Arrays.stream(accounts.batchUpdate(context, ids)).sum());
	}

	private int inLockedTransaction(Work work) {
		GuardedWriter accounts = Objects.requireNonNull(this.writer);
		TransactionTemplate transaction = Objects.requireNonNull(this.transactions);
		return Objects.requireNonNull(this.locks)
			.execute(REQUEST,
					(context) -> Objects.requireNonNull(transaction.execute((status) -> work.run(context, accounts))));
	}

	/**
	 * What is done in the transaction.
	 */
	@FunctionalInterface
	private interface Work {

		int run(FencingContext context, GuardedWriter accounts);

	}

}
