package dev.fencing.sample.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.yaml.snakeyaml.Yaml;

/**
 * The alerts for Prometheus, and what their own tests say of them.
 */
final class AlertRules {

	private AlertRules() {
	}

	static List<Rule> read() {
		List<Rule> rules = new ArrayList<>();
		for (Map<?, ?> group : list(load(Documents.read(Documents.ALERTS)), "groups")) {
			for (Map<?, ?> rule : list(group, "rules")) {
				rules.add(new Rule(String.valueOf(rule.get("alert")), String.valueOf(rule.get("expr")),
						(Map<?, ?>) rule.get("labels"), (Map<?, ?>) rule.get("annotations")));
			}
		}
		return rules;
	}

	/**
	 * Return what is expected in the tests of the rules.
	 */
	static List<Expectation> expectations() {
		List<Expectation> expectations = new ArrayList<>();
		for (Map<?, ?> test : list(load(Documents.read(Documents.ALERT_TESTS)), "tests")) {
			for (Map<?, ?> expected : list(test, "alert_rule_test")) {
				expectations.add(
						new Expectation(String.valueOf(expected.get("alertname")), expected.containsKey("exp_alerts")));
			}
		}
		return expectations;
	}

	private static Map<?, ?> load(String yaml) {
		return new Yaml().load(yaml);
	}

	private static List<Map<?, ?>> list(Map<?, ?> parent, String name) {
		List<Map<?, ?>> maps = new ArrayList<>();
		((List<?>) parent.get(name)).forEach((map) -> maps.add((Map<?, ?>) map));
		return maps;
	}

	/**
	 * An alert.
	 */
	record Rule(String alert, String expression, Map<?, ?> labels, Map<?, ?> annotations) {

		String annotation(String name) {
			return String.valueOf(annotations().get(name));
		}

	}

	/**
	 * What a test expects of an alert at some time.
	 */
	record Expectation(String alert, boolean fires) {
	}

}
