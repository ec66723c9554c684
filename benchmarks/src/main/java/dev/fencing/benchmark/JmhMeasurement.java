package dev.fencing.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import dev.fencing.benchmark.server.BenchServers;

/**
 * Measures a JMH benchmark once, in a JVM of its own.
 *
 * @since 0.1.0
 */
public final class JmhMeasurement implements BenchCase.Measurement {

	/**
	 * The column with operations in a second, of all threads together.
	 */
	public static final String THROUGHPUT = "operations/s";

	/**
	 * The column with the bytes that are allocated for one operation.
	 */
	public static final String BYTES = "bytes/operation";

	/**
	 * The column with the commands that Redis runs for one operation, those included that
	 * scripts call.
	 */
	public static final String COMMANDS = "Redis commands/operation";

	private final Scale scale;

	private final String benchmark;

	private final Map<String, String> parameters;

	private final int threads;

	private boolean redis;

	private boolean postgres;

	private boolean fewCalls;

	/**
	 * Create a measurement.
	 * @param scale how much to do; never null
	 * @param type the class with the benchmark; never null
	 * @param method the name of its method; never null
	 * @param parameters its parameters; never null
	 * @param threads how many threads run it
	 */
	public JmhMeasurement(Scale scale, Class<?> type, String method, Map<String, String> parameters, int threads) {
		this.scale = scale;
		this.benchmark = (type.getName() + "." + method).replace(".", "\\.") + "$";
		this.parameters = parameters;
		this.threads = threads;
	}

	/**
	 * Count the commands that Redis runs.
	 * @return this
	 */
	public JmhMeasurement withRedis() {
		this.redis = true;
		return this;
	}

	/**
	 * Warm up for longer than by default, and have code compiled after a tenth of the
	 * usual number of calls: an operation that waits for a disk is called too seldom for
	 * that otherwise.
	 * @return this
	 */
	public JmhMeasurement withFewCalls() {
		this.fewCalls = true;
		return this;
	}

	/**
	 * Have a PostgreSQL for it.
	 * @return this
	 */
	public JmhMeasurement withPostgres() {
		this.postgres = true;
		return this;
	}

	@Override
	public Map<String, Double> measure() throws Exception {
		ChainedOptionsBuilder options = new OptionsBuilder().include(this.benchmark)
			.threads(this.threads)
			.forks(this.scale.of(1, 0))
			.warmupIterations(this.scale.of(this.fewCalls ? 8 : 3, 0))
			.warmupTime(TimeValue.seconds(1))
			.measurementIterations(this.scale.of(3, 1))
			.measurementTime(TimeValue.milliseconds(this.scale.of(1000, 10)))
			.verbosity(VerboseMode.SILENT)
			.shouldFailOnError(true);
		if (this.redis) {
			options.addProfiler(CommandsProfiler.class);
		}
		// The last one ends first: what the other allocates is not counted
		options.addProfiler(GCProfiler.class);
		options.jvmArgsAppend(jvmArguments().toArray(String[]::new));
		this.parameters.forEach(options::param);
		RunResult result = new Runner(options.build()).runSingle();
		Map<String, Double> values = new LinkedHashMap<>();
		values.put(THROUGHPUT, perSecond(result.getPrimaryResult()));
		put(values, BYTES, result.getSecondaryResults().get("gc.alloc.rate.norm"));
		put(values, COMMANDS, result.getSecondaryResults().get(CommandsProfiler.COMMANDS));
		return values;
	}

	private List<String> jvmArguments() {
		List<String> arguments = new ArrayList<>();
		if (this.redis) {
			arguments.addAll(BenchServers.redisArguments());
		}
		if (this.postgres) {
			arguments.addAll(BenchServers.arguments());
		}
		if (this.fewCalls) {
			arguments.add("-XX:CompileThresholdScaling=0.1");
		}
		return arguments;
	}

	private static void put(Map<String, Double> values, String column, @Nullable Result<?> result) {
		if (result != null) {
			values.put(column, result.getScore());
		}
	}

	private static double perSecond(Result<?> result) {
		if (!result.getScoreUnit().equals("ops/s")) {
			throw new IllegalStateException("Not in operations per second: " + result.getLabel());
		}
		return result.getScore();
	}

}
