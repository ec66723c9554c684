package dev.fencing.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.fencing.benchmark.Bench.Comparison;

/**
 * Writes what has come out, for people and for programs.
 */
final class Report {

	private final Map<Bench, Results> results;

	private final Scale scale;

	private final Map<String, String> machine = Machine.describe();

	Report(Map<Bench, Results> results, Scale scale) {
		this.results = results;
		this.scale = scale;
	}

	static String text(Map<String, Double> values) {
		return values.entrySet()
			.stream()
			.map((entry) -> Target.text(entry.getValue()) + " " + entry.getKey())
			.collect(Collectors.joining(", "));
	}

	/**
	 * The targets, then a table for each bench.
	 */
	String markdown() {
		StringBuilder text = new StringBuilder();
		text.append("| on | |\n|---|---|\n");
		this.machine.forEach((name, value) -> line(text, List.of(name, value)));
		line(text, List.of("rounds", this.scale.rounds() + (this.scale.smoke() ? ", too short to mean anything" : "")));
		text.append("\n### Targets\n\n| | target | measured | |\n|---|---|---:|---|\n");
		for (Target target : targets()) {
			line(text, List.of(target.bench(), target.text(), target.measured(), target.met() ? "met" : "**missed**"));
		}
		this.results.forEach((bench, ofBench) -> table(text, bench, ofBench));
		return text.toString();
	}

	private List<Target> targets() {
		return this.results.entrySet()
			.stream()
			.flatMap((entry) -> entry.getKey().targets(entry.getValue()).stream())
			.toList();
	}

	private static void table(StringBuilder text, Bench bench, Results results) {
		text.append("\n### %s: %s%n%n".formatted(bench.id(), bench.title()));
		Comparison comparison = bench.comparison();
		Set<String> columns = new LinkedHashSet<>();
		results.rows().values().forEach((values) -> columns.addAll(values.keySet()));
		List<String> head = new ArrayList<>(List.of("", ""));
		for (String column : columns) {
			head.add(column);
			if (comparison != null && column.equals(comparison.column())) {
				head.add("ratio to " + comparison.subject());
			}
		}
		line(text, head);
		text.append("|---|---").append("|---:".repeat(head.size() - 2)).append("|\n");
		results.rows().forEach((row, values) -> {
			List<String> cells = new ArrayList<>(List.of(row.subject(), row.setting()));
			for (String column : columns) {
				cells.add(range(values.get(column)));
				if (comparison != null && column.equals(comparison.column())) {
					double ratio = results.ratio(row.subject(), comparison.subject(), row.setting(), column);
					cells.add(Double.isNaN(ratio) ? "" : Target.text(ratio));
				}
			}
			line(text, cells);
		});
	}

	/**
	 * The median, and from where to where the rounds went.
	 */
	private static String range(@Nullable List<Double> values) {
		if (values == null) {
			return "";
		}
		String median = Target.text(Results.median(values));
		String least = Target.text(values.stream().mapToDouble(Double::doubleValue).min().orElseThrow());
		String most = Target.text(values.stream().mapToDouble(Double::doubleValue).max().orElseThrow());
		return least.equals(most) ? median : "%s (%s to %s)".formatted(median, least, most);
	}

	private static void line(StringBuilder text, List<String> cells) {
		text.append("| ").append(String.join(" | ", cells)).append(" |\n");
	}

	/**
	 * All values of all rounds.
	 */
	String json() {
		Map<String, Object> all = new LinkedHashMap<>();
		all.put("machine", this.machine);
		all.put("smoke", this.scale.smoke());
		all.put("rounds", this.scale.rounds());
		all.put("targets", targets());
		List<Map<String, Object>> benches = new ArrayList<>();
		this.results.forEach((bench, ofBench) -> benches
			.add(Map.of("id", bench.id(), "title", bench.title(), "rows", rows(ofBench))));
		all.put("benches", benches);
		return JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(all);
	}

	private static List<Map<String, Object>> rows(Results results) {
		List<Map<String, Object>> rows = new ArrayList<>();
		results.rows().forEach((row, values) -> {
			Map<String, Object> entry = new LinkedHashMap<>();
			entry.put("subject", row.subject());
			entry.put("setting", row.setting());
			entry.put("values", values);
			rows.add(entry);
		});
		return rows;
	}

}
