package dev.fencing.benchmark.database;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.context.ConfigurableApplicationContext;

import dev.fencing.benchmark.server.BenchServers;

/**
 * A service method that writes one row in a transaction: each thread has rows of its own.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class TransactionBenchmark {

	/**
	 * Whose lock, if any.
	 */
	@Param
	public AccountsKind kind = AccountsKind.FENCED;

	private @Nullable ConfigurableApplicationContext application;

	private @Nullable Accounts accounts;

	/**
	 * Start the application.
	 */
	@Setup
	public void start() {
		BenchTables.create();
		this.application = this.kind.start(BenchServers.postgresUrl(), Map.of());
		this.accounts = this.application.getBean(Accounts.class);
	}

	/**
	 * Close the application.
	 */
	@TearDown
	public void close() {
		Objects.requireNonNull(this.application).close();
	}

	/**
	 * Call the method.
	 * @param rows the rows of the thread
	 */
	@Benchmark
	public void deposit(ThreadRows rows) {
		Objects.requireNonNull(this.accounts).deposit(rows.next());
	}

}
