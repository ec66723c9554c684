package dev.fencing;

import java.util.Collection;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs every benchmark for a moment, to see that it still can be run. It measures
 * nothing.
 */
class BenchmarksTests {

	@Test
	void everyBenchmarkRuns() throws RunnerException {
		Collection<RunResult> results = new Runner(new OptionsBuilder().include("dev\\.fencing\\..*")
			.forks(0)
			.warmupIterations(0)
			.measurementIterations(1)
			.measurementTime(TimeValue.milliseconds(1))
			.verbosity(VerboseMode.SILENT)
			.shouldFailOnError(true)
			.build()).run();
		assertThat(results).hasSizeGreaterThan(40);
	}

}
