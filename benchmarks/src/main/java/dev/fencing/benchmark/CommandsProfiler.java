package dev.fencing.benchmark;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

import dev.fencing.benchmark.server.CommandStats;
import dev.fencing.benchmark.server.RedisProbe;

/**
 * Tells how many commands the Redis has run for each operation of a JMH benchmark, those
 * included that scripts call.
 *
 * @since 0.1.0
 */
public final class CommandsProfiler implements InternalProfiler {

	/**
	 * The name of the result.
	 */
	static final String COMMANDS = "redis.commands";

	private CommandStats before = new CommandStats(Map.of());

	@Override
	public String getDescription() {
		return "Commands that Redis has run for each operation";
	}

	@Override
	public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
		this.before = stats();
	}

	@Override
	public Collection<? extends Result<?>> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
			IterationResult result) {
		double commands = stats().since(this.before).total();
		long operations = Math.max(1, result.getMetadata().getAllOps());
		return List.of(new ScalarResult(COMMANDS, commands / operations, "commands/op", AggregationPolicy.AVG));
	}

	private static CommandStats stats() {
		try (RedisProbe redis = new RedisProbe()) {
			return redis.stats();
		}
	}

}
