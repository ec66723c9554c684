package dev.fencing.benchmark.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.JmhMeasurement;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;

/**
 * What a locked method costs by itself, in time and bytes.
 *
 * @since 0.1.0
 */
public final class LockedCallBench implements Bench {

	private static final String MICROS = "µs/call";

	private static final String BARE = "bare call";

	private static final String ONE_THREAD = "1 thread";

	private static final String WITHOUT_KEY = "@FencedLock without a key";

	private static final String ARGUMENT = "@FencedLock, key = \"#id\"";

	private static final String EXPRESSION = "@FencedLock, key = \"#order.id\"";

	@Override
	public String id() {
		return "B2";
	}

	@Override
	public String title() {
		return "Call an empty method under a lock, with leases in memory";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		return List.of(benchCase(scale, BARE, "bare"), benchCase(scale, WITHOUT_KEY, "locked"),
				benchCase(scale, ARGUMENT, "lockedByArgument"), benchCase(scale, EXPRESSION, "lockedByExpression"));
	}

	private static BenchCase benchCase(Scale scale, String subject, String method) {
		JmhMeasurement measurement = new JmhMeasurement(scale, LockedCallBenchmark.class, method, Map.of(), 1);
		return new BenchCase(subject, ONE_THREAD, () -> {
			Map<String, Double> measured = measurement.measure();
			return Map.of(MICROS, 1_000_000 / measured.get(JmhMeasurement.THROUGHPUT), JmhMeasurement.BYTES,
					measured.get(JmhMeasurement.BYTES));
		});
	}

	@Override
	public List<Target> targets(Results results) {
		List<Target> targets = new ArrayList<>();
		// What an expression takes beyond that is the expression language's own
		for (String subject : List.of(WITHOUT_KEY, ARGUMENT)) {
			targets.add(Target.atMost(id(), "at most 3 µs over the bare call: " + subject,
					more(results, subject, MICROS), 3));
			targets.add(Target.atMost(id(), "at most 1,500 bytes over the bare call: " + subject,
					more(results, subject, JmhMeasurement.BYTES), 1500));
		}
		return targets;
	}

	private static double more(Results results, String subject, String column) {
		return results.value(subject, ONE_THREAD, column) - results.value(BARE, ONE_THREAD, column);
	}

}
