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
 * A locked transaction, whose resource is any one of those that are known already.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class RegistrySizeBenchmark {

	/**
	 * How many resources are known.
	 */
	@Param({ "1000", "100000" })
	public int resources = 1000;

	private @Nullable ConfigurableApplicationContext application;

	private @Nullable FencedAccounts accounts;

	/**
	 * Start the application.
	 */
	@Setup
	public void start() {
		BenchTables.create();
		this.application = AccountsKind.FENCED.start(BenchServers.postgresUrl(),
				Map.of("fencing.jdbc.table-name", BenchTables.registryOf(this.resources)));
		this.accounts = this.application.getBean(FencedAccounts.class);
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
		Objects.requireNonNull(this.accounts).depositUnder(rows.anyOf(this.resources), rows.next());
	}

}
