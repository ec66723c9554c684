package dev.fencing.benchmark.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.fencing.autoconfigure.FencingProperties.RejectionStore;
import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.JmhMeasurement;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;
import dev.fencing.benchmark.process.LoadProcess;
import dev.fencing.benchmark.server.BenchServers;

/**
 * What grows with time: the registry, whose rows are never deleted, and what is kept of
 * rejections.
 *
 * @since 0.1.0
 */
public final class RegistryBench implements Bench {

	/**
	 * The column with the live heap after the warm-up.
	 */
	public static final String HEAP_FIRST = "MB of live heap at first";

	/**
	 * The column with the live heap after half of the rejections.
	 */
	public static final String HEAP_MIDDLE = "in the middle";

	/**
	 * The column with the live heap after all rejections.
	 */
	public static final String HEAP_LAST = "at last";

	/**
	 * The column with the rejections in a second.
	 */
	public static final String REJECTIONS = "rejections/s";

	/**
	 * The column with the rejections that were not stored.
	 */
	public static final String DROPPED = "dropped";

	private static final int THREADS = 8;

	private static final String SETTING = THREADS + " threads";

	private static final int REJECTED = 1_000;

	private static final double MEGABYTE = 1 << 20;

	/**
	 * How many resources are known, and how many where nothing is measured.
	 */
	private static final Map<Integer, Integer> SIZES = sizes();

	private static final List<RejectionStore> STORES = List.of(RejectionStore.MEMORY, RejectionStore.JDBC);

	private static Map<Integer, Integer> sizes() {
		Map<Integer, Integer> sizes = new LinkedHashMap<>();
		sizes.put(1_000, 100);
		sizes.put(100_000, 1_000);
		sizes.put(1_000_000, 10_000);
		return sizes;
	}

	@Override
	public String id() {
		return "B8";
	}

	@Override
	public String title() {
		return "What grows: the registry, and what is kept of rejections";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		SIZES.forEach((size,
				smoking) -> cases.add(new BenchCase(registry(size), SETTING,
						new JmhMeasurement(scale, RegistrySizeBenchmark.class, "deposit",
								Map.of("resources", Integer.toString(scale.of(size, smoking))), THREADS)
							.withPostgres()
							.withFewCalls())));
		for (RejectionStore store : STORES) {
			cases.add(new BenchCase(rejections(store), rate(REJECTED), () -> reject(scale, store)));
		}
		return cases;
	}

	private static Map<String, Double> reject(Scale scale, RejectionStore store) throws Exception {
		List<String> jvmArguments = new ArrayList<>(BenchServers.arguments());
		jvmArguments.add("-Xmx256m");
		List<String> lines;
		try (LoadProcess process = LoadProcess.start(RejectionLoad.class, jvmArguments, store, scale.of(REJECTED, 200),
				scale.of(10_000, 200), scale.of(20_000, 1_000))) {
			lines = process.lines();
		}
		Map<String, Double> values = new LinkedHashMap<>();
		List<String> columns = List.of(HEAP_FIRST, HEAP_MIDDLE, HEAP_LAST, REJECTIONS, DROPPED);
		for (int i = 0; i < columns.size(); i++) {
			double value = Double.parseDouble(lines.get(i));
			values.put(columns.get(i), (i < 3) ? value / MEGABYTE : value);
		}
		return values;
	}

	@Override
	public List<Target> targets(Results results) {
		List<Target> targets = new ArrayList<>();
		double large = results.value(registry(1_000_000), SETTING, JmhMeasurement.THROUGHPUT);
		double small = results.value(registry(1_000), SETTING, JmhMeasurement.THROUGHPUT);
		targets
			.add(Target.atLeast(id(), "with a registry of 1,000,000 at least 0.9 of one of 1,000", large / small, 0.9));
		for (RejectionStore store : STORES) {
			double growth = results.value(rejections(store), rate(REJECTED), HEAP_LAST)
					- results.value(rejections(store), rate(REJECTED), HEAP_MIDDLE);
			targets.add(Target.atMost(id(),
					"at most 2 MB of live heap more at last than in the middle, " + rejections(store), growth, 2));
			targets.add(Target.atLeast(id(), "%,d a second, %s".formatted(REJECTED, rejections(store)),
					results.value(rejections(store), rate(REJECTED), REJECTIONS), 0.99 * REJECTED));
		}
		return targets;
	}

	private static String registry(int resources) {
		return "locked transaction, registry of %,d".formatted(resources);
	}

	private static String rejections(RejectionStore store) {
		return "rejections, store " + store.name().toLowerCase(Locale.ROOT);
	}

	private static String rate(int perSecond) {
		return "%,d a second".formatted(perSecond);
	}

}
