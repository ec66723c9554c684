package dev.fencing.benchmark.startup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;

/**
 * How long an application takes to start and how much memory it then uses, with the
 * starter and without it.
 *
 * @since 0.1.0
 */
public final class StartupBench implements Bench {

	@Override
	public String id() {
		return "B9";
	}

	@Override
	public String title() {
		return "Start an application, and look at its memory";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		for (StartupSetting setting : StartupSetting.values()) {
			for (StartupVariant variant : StartupVariant.values()) {
				cases.add(new BenchCase(variant.title(), setting.title(), () -> measure(variant, setting, scale)));
			}
		}
		return cases;
	}

	static Map<String, Double> measure(StartupVariant variant, StartupSetting setting, Scale scale) throws Exception {
		StartupDatabase.create();
		// A single start ends before the better compiler is of use
		String[] jvmArguments = scale.smoke() ? new String[] { "-XX:TieredStopAtLevel=1" } : new String[0];
		Map<String, List<Double>> starts = new LinkedHashMap<>();
		for (int i = 0; i < scale.of(3, 1); i++) {
			StartupProcess.run(variant, setting, jvmArguments)
				.forEach((column, value) -> starts.computeIfAbsent(column, (name) -> new ArrayList<>()).add(value));
		}
		Map<String, Double> medians = new LinkedHashMap<>();
		starts.forEach((column, values) -> medians.put(column, Results.median(values)));
		if (medians.remove(StartupReport.LOCKED_BEANS) != variant.lockedBeans()) {
			throw new IllegalStateException("Not what was to be measured: " + variant.title());
		}
		return medians;
	}

	@Override
	public List<Target> targets(Results results) {
		List<Target> targets = new ArrayList<>();
		for (StartupSetting setting : StartupSetting.values()) {
			targets.add(Target.atMost(id(), "at most 100 ms longer until ready, " + setting.title(),
					more(results, setting, StartupReport.READY), 100));
			targets.add(Target.atMost(id(), "at most 5 MB more, " + setting.title(),
					more(results, setting, StartupReport.MEMORY), 5));
		}
		return targets;
	}

	private static double more(Results results, StartupSetting setting, String column) {
		return results.value(StartupVariant.LOCKED.title(), setting.title(), column)
				- results.value(StartupVariant.WITHOUT.title(), setting.title(), column);
	}

}
