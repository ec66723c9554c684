package dev.fencing.benchmark.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.JmhMeasurement;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;

/**
 * What the helper's guard of a row costs, beside one that is written by hand.
 *
 * @since 0.1.0
 */
public final class GuardedUpdateBench implements Bench {

	private static final Map<String, String> SETTINGS = settings();

	private static Map<String, String> settings() {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("update", "%d updates in a transaction".formatted(GuardedUpdateBenchmark.UPDATES));
		settings.put("batch", "a batch of %,d".formatted(GuardedUpdateBenchmark.BATCH));
		return settings;
	}

	@Override
	public String id() {
		return "B4";
	}

	@Override
	public String title() {
		return "Guarded updates, counted one by one";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		SETTINGS.forEach((method, setting) -> {
			for (GuardKind guard : GuardKind.values()) {
				cases.add(new BenchCase(guard.title(), setting, new JmhMeasurement(scale, GuardedUpdateBenchmark.class,
						method, Map.of("guard", guard.name()), 1)
					.withPostgres()
					.withFewCalls()));
			}
		});
		return cases;
	}

	@Override
	public Comparison comparison() {
		return new Comparison(JmhMeasurement.THROUGHPUT, GuardKind.HAND_WRITTEN.title());
	}

	@Override
	public List<Target> targets(Results results) {
		return SETTINGS.values()
			.stream()
			.map((setting) -> Target.atLeast(id(), "at least 0.97 of a guard written by hand, " + setting,
					results.ratio(GuardKind.HELPER.title(), GuardKind.HAND_WRITTEN.title(), setting,
							JmhMeasurement.THROUGHPUT),
					0.97))
			.toList();
	}

}
