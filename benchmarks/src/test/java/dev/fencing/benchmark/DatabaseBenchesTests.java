package dev.fencing.benchmark;

import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.benchmark.database.AccountsKind;
import dev.fencing.benchmark.database.GuardedUpdateBench;
import dev.fencing.benchmark.database.RegistryBench;
import dev.fencing.benchmark.database.TransactionBench;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the benches with a database in small. Only what does not depend on time means
 * anything then.
 */
@Tag("smoke")
@Timeout(240)
class DatabaseBenchesTests {

	private static final Scale SMOKE = new Scale(1, true);

	@Test
	void lockAddsTwoStatementsOneCommitAndTwoRoundTripsToATransaction() throws Exception {
		Bench bench = new TransactionBench();
		Results results = run(bench);
		assertThat(asked(results, AccountsKind.PLAIN)).containsExactly(1.0, 1.0, 0.0);
		assertThat(asked(results, AccountsKind.HAND_WRITTEN)).containsExactly(3.0, 2.0, 2.0);
		assertThat(asked(results, AccountsKind.FENCED)).containsExactly(3.0, 2.0, 2.0);
		assertThat(bench.targets(results).subList(0, 3)).allMatch(Target::met);
	}

	private static List<Double> asked(Results results, AccountsKind kind) {
		return List.of(TransactionBench.STATEMENTS, TransactionBench.COMMITS, TransactionBench.ROUND_TRIPS)
			.stream()
			.map((column) -> results.value(kind.title(), "1 thread", column))
			.toList();
	}

	@Test
	void updatesAreGuardedByTheHelperAndByHand() throws Exception {
		assertThat(run(new GuardedUpdateBench()).rows()).hasSize(4)
			.allSatisfy((row, values) -> assertThat(values.get(JmhMeasurement.THROUGHPUT)).first()
				.satisfies((perSecond) -> assertThat(perSecond).isPositive()));
	}

	@Test
	void registryIsLargeAndOwnersAreRefused() throws Exception {
		Results results = run(new RegistryBench());
		assertThat(results.rows()).hasSize(5);
		assertThat(results.rows().values()).filteredOn((values) -> values.containsKey(JmhMeasurement.THROUGHPUT))
			.hasSize(3);
		assertThat(results.rows().values()).filteredOn((values) -> values.containsKey(RegistryBench.REJECTIONS))
			.hasSize(2)
			.allSatisfy((values) -> {
				assertThat(values.get(RegistryBench.HEAP_FIRST)).allMatch((megabytes) -> megabytes > 1);
				assertThat(values.get(RegistryBench.HEAP_LAST)).allMatch((megabytes) -> megabytes > 1);
				assertThat(values.get(RegistryBench.REJECTIONS)).allMatch((perSecond) -> perSecond > 0);
				assertThat(values.get(RegistryBench.DROPPED)).containsExactly(0.0);
			});
	}

	private static Results run(Bench bench) throws Exception {
		Results results = new Results();
		for (BenchCase benchCase : bench.cases(SMOKE)) {
			results.add(benchCase, benchCase.measurement().measure());
		}
		return results;
	}

}
