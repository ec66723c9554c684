package dev.fencing.sample.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import dev.fencing.sample.operations.AlertRules.Expectation;
import dev.fencing.sample.operations.AlertRules.Rule;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that alerts fire when they should and lead to what is to be done.
 */
@Timeout(60)
class AlertRulesTests {

	private static final String RUNBOOK = "docs/operations.md#";

	private final List<Rule> rules = AlertRules.read();

	@Test
	void everyAlertHasASeverityAndSaysWhatItIs() {
		assertThat(this.rules).isNotEmpty().allSatisfy((rule) -> {
			assertThat(String.valueOf(rule.labels().get("severity"))).isIn("warning", "critical");
			assertThat(rule.annotation("summary")).contains(
					rule.expression().contains(OptionalMeters.DROPPED) ? "{{ $labels.job }}" : "{{ $labels.lock }}");
			assertThat(rule.annotation("description")).contains("{{ $labels.instance }}", "{{ $value ");
		});
		assertThat(this.rules).extracting(Rule::alert).doesNotHaveDuplicates();
	}

	@Test
	void everyAlertLeadsToASectionThatSaysWhatToDo() {
		OperationsPage page = new OperationsPage();
		assertThat(this.rules).allSatisfy((rule) -> {
			assertThat(rule.annotation("runbook")).startsWith(RUNBOOK);
			assertThat(page.anchors()).contains(rule.annotation("runbook").substring(RUNBOOK.length()));
			assertThat(page.section(rule.alert())).contains("**What it means.**", "**What is protected.**",
					"**Look at**", "**Causes, and what to change**");
		});
	}

	@Test
	void everyAlertIsTestedFiringAndSilent() {
		List<Expectation> expectations = AlertRules.expectations();
		assertThat(this.rules).allSatisfy((rule) -> assertThat(expectations)
			.contains(new Expectation(rule.alert(), true), new Expectation(rule.alert(), false)));
	}

	@Test
	void promtoolAcceptsTheRules() throws Exception {
		assertPasses(promtool("check", "rules", Documents.ALERTS.toString()));
	}

	@Test
	void promtoolSeesAlertsFireWhenTheyShouldOnly(@TempDir Path folder) throws Exception {
		String rules = Documents.read(Documents.ALERTS);
		assertPasses(testRules(folder, rules));
		assertFails(testRules(folder, rules.replace("} > 0 and", "} >= 0 and")), "got:[\n            0:");
		assertFails(testRules(folder, rules.replace("[10m]) > 0", "[10m]) > 10")), "got:[]");
	}

	private static void assertPasses(Result result) {
		assertThat(result.status()).as(result.output()).isZero();
	}

	private static void assertFails(Result result, String output) {
		assertThat(result.status()).isNotZero();
		assertThat(result.output()).contains(output);
	}

	private static Result testRules(Path folder, String rules) throws Exception {
		Files.writeString(folder.resolve(Documents.ALERTS.getFileName()), rules);
		Path tests = folder.resolve(Documents.ALERT_TESTS.getFileName());
		Files.writeString(tests, Documents.read(Documents.ALERT_TESTS));
		return promtool("test", "rules", tests.toString());
	}

	private static Result promtool(String... arguments) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(arguments);
		builder.command().add(0, PrometheusPrograms.promtool().toString());
		Process process = builder.redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
		return new Result(process.exitValue(), output);
	}

	private record Result(int status, String output) {
	}

}
