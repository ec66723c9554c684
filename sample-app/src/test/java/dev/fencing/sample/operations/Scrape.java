package dev.fencing.sample.operations;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.fencing.sample.operations.PromQl.LabelMatcher;
import dev.fencing.sample.operations.PromQl.Selector;

/**
 * What Prometheus gets from the application: the metrics by name, and the values of each
 * of their labels.
 */
final class Scrape {

	/**
	 * Added to every series by Prometheus itself.
	 */
	private static final Set<String> TARGET_LABELS = Set.of("job", "instance");

	private static final Pattern SERIES = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");

	private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:\\\\.|[^\"\\\\])*)\"");

	private final Map<String, Map<String, Set<String>>> labelsByMetric = new TreeMap<>();

	private Scrape() {
	}

	static Scrape of(String text) {
		Scrape scrape = new Scrape();
		text.lines().filter((line) -> !line.startsWith("#")).forEach(scrape::add);
		return scrape;
	}

	private void add(String line) {
		Matcher series = SERIES.matcher(line);
		if (!series.matches()) {
			throw new IllegalArgumentException("Not a series: " + line);
		}
		Map<String, Set<String>> labels = this.labelsByMetric.computeIfAbsent(series.group(1),
				(key) -> new TreeMap<>());
		Matcher label = LABEL.matcher((series.group(2) != null) ? series.group(2) : "");
		while (label.find()) {
			labels.computeIfAbsent(label.group(1), (key) -> new TreeSet<>()).add(label.group(2));
		}
	}

	Set<String> metrics() {
		return Collections.unmodifiableSet(this.labelsByMetric.keySet());
	}

	/**
	 * Return what the expressions ask for and would never get.
	 */
	List<String> missing(Collection<String> expressions) {
		List<String> missing = new ArrayList<>();
		for (String expression : expressions) {
			for (Selector selector : PromQl.selectors(expression)) {
				missing.addAll(missing(selector));
			}
		}
		return missing;
	}

	private List<String> missing(Selector selector) {
		Map<String, Set<String>> labels = this.labelsByMetric.get(selector.metric());
		if (labels == null) {
			return List.of(selector.metric());
		}
		List<String> missing = new ArrayList<>();
		for (String label : selector.labels()) {
			if (!labels.containsKey(label) && !TARGET_LABELS.contains(label)) {
				missing.add("%s{%s}".formatted(selector.metric(), label));
			}
		}
		for (LabelMatcher matcher : selector.matchers()) {
			if (!matchesSome(matcher, labels.get(matcher.label()))) {
				missing.add("%s{%s: %s}".formatted(selector.metric(), matcher.label(), matcher.value()));
			}
		}
		return missing;
	}

	// Also what is to be left out must be there, or the exclusion is a typing error
	private static boolean matchesSome(LabelMatcher matcher, Set<String> values) {
		if (values == null || matcher.value().contains("$")) {
			return true;
		}
		return matcher.isRegularExpression() ? values.stream().anyMatch((value) -> value.matches(matcher.value()))
				: values.contains(matcher.value());
	}

}
