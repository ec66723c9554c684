package dev.fencing.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.fencing.benchmark.call.LockedCallBench;
import dev.fencing.benchmark.database.GuardedUpdateBench;
import dev.fencing.benchmark.database.RegistryBench;
import dev.fencing.benchmark.database.TransactionBench;
import dev.fencing.benchmark.lease.HandoverBench;
import dev.fencing.benchmark.lease.HeldLeasesBench;
import dev.fencing.benchmark.lease.HerdBench;
import dev.fencing.benchmark.lease.LockBench;
import dev.fencing.benchmark.startup.StartupBench;

/**
 * Measures everything and writes a table, as Markdown and as JSON. Arguments:
 * {@code --only=B1,B5} measures a part, {@code --rounds=3} says how often,
 * {@code --smoke} only sees whether everything can be run, {@code --output=folder} says
 * where to write.
 *
 * @since 0.1.0
 */
public final class BenchmarkSuite {

	private static final List<Bench> BENCHES = List.of(new LockBench(), new LockedCallBench(), new TransactionBench(),
			new GuardedUpdateBench(), new HandoverBench(), new HerdBench(), new HeldLeasesBench(), new RegistryBench(),
			new StartupBench());

	private BenchmarkSuite() {
	}

	/**
	 * Measure.
	 * @param args see the class
	 * @throws Exception if something cannot be measured
	 */
	public static void main(String[] args) throws Exception {
		Map<String, String> options = options(args);
		boolean smoke = options.containsKey("smoke");
		Scale scale = new Scale(Integer.parseInt(options.getOrDefault("rounds", smoke ? "1" : "3")), smoke);
		List<Exception> failures = new ArrayList<>();
		Map<Bench, Results> results = measure(chosen(options.get("only")), scale, failures);
		Report report = new Report(results, scale);
		Path folder = Files.createDirectories(Path.of(options.getOrDefault("output", "target/benchmarks")));
		Files.writeString(folder.resolve("results.md"), report.markdown());
		Files.writeString(folder.resolve("results.json"), report.json());
		System.out.println(report.markdown());
		for (Exception failure : failures) {
			failure.printStackTrace();
		}
		if (!failures.isEmpty()) {
			throw new IllegalStateException("%d measurements failed".formatted(failures.size()));
		}
	}

	static Map<String, String> options(String... args) {
		Map<String, String> options = new LinkedHashMap<>();
		for (String arg : args) {
			String[] parts = arg.split("=", 2);
			if (!Set.of("--only", "--rounds", "--smoke", "--output").contains(parts[0])) {
				throw new IllegalArgumentException(
						"Unknown argument '%s': there are --only=B1,B5, --rounds=3, --smoke and --output=folder"
							.formatted(arg));
			}
			options.put(parts[0].substring(2), (parts.length > 1) ? parts[1] : "");
		}
		return options;
	}

	private static List<Bench> chosen(@Nullable String only) {
		if (only == null) {
			return BENCHES;
		}
		Set<String> ids = Set.of(only.split(","));
		List<Bench> chosen = BENCHES.stream().filter((bench) -> ids.contains(bench.id())).toList();
		if (chosen.size() < ids.size()) {
			throw new IllegalArgumentException("There is not everything of '%s': there are %s".formatted(only,
					BENCHES.stream().map(Bench::id).collect(Collectors.joining(", "))));
		}
		return chosen;
	}

	/**
	 * Measure in a random order, another one in each round: what slows the machine down
	 * for a while then does not hit one subject alone.
	 */
	private static Map<Bench, Results> measure(List<Bench> benches, Scale scale, List<Exception> failures) {
		Map<Bench, Results> results = new LinkedHashMap<>();
		List<Step> steps = new ArrayList<>();
		for (Bench bench : benches) {
			Results ofBench = new Results();
			results.put(bench, ofBench);
			for (BenchCase benchCase : bench.cases(scale)) {
				ofBench.place(benchCase);
				steps.add(new Step(bench, benchCase));
			}
		}
		Random random = new Random();
		for (int round = 1; round <= scale.rounds(); round++) {
			Collections.shuffle(steps, random);
			for (int i = 0; i < steps.size(); i++) {
				Step step = steps.get(i);
				Map<String, Double> values = step.measure(failures);
				results.get(step.bench()).add(step.benchCase(), values);
				System.out.printf("round %d of %d, %d of %d: %s %s, %s: %s%n", round, scale.rounds(), i + 1,
						steps.size(), step.bench().id(), step.benchCase().subject(), step.benchCase().setting(),
						Report.text(values));
			}
		}
		return results;
	}

	/**
	 * One case, which fails by itself: the others are worth having all the same.
	 *
	 * @param bench what it is part of
	 * @param benchCase what is measured
	 */
	private record Step(Bench bench, BenchCase benchCase) {

		Map<String, Double> measure(List<Exception> failures) {
			try {
				return this.benchCase.measurement().measure();
			}
			catch (Exception ex) {
				failures.add(new IllegalStateException("Not measured: %s %s, %s".formatted(this.bench.id(),
						this.benchCase.subject(), this.benchCase.setting()), ex));
				return Map.of();
			}
		}

	}

}
