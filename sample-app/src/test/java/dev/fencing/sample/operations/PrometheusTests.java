package dev.fencing.sample.operations;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.sample.SampleTest;
import dev.fencing.sample.operations.Dashboard.Panel;
import dev.fencing.sample.operations.Dashboard.Target;
import dev.fencing.sample.operations.Dashboard.Variable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a real Prometheus, which asks the application for its meters, has something
 * for every panel of the dashboard after one race, and fires the alerts that it should.
 */
@SampleTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(90)
class PrometheusTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private static final Duration RANGE = Duration.ofMinutes(5);

	/**
	 * What Grafana takes at least: four times the interval of the scrapes.
	 */
	private static final String RATE_INTERVAL = PrometheusServer.INTERVAL.multipliedBy(4).toSeconds() + "s";

	private final Dashboard dashboard = new Dashboard();

	private PrometheusServer prometheus;

	@Autowired
	private FencedLockTemplate locks;

	@BeforeAll
	void raceUnderTheEyesOfPrometheus(@LocalServerPort int port) throws IOException {
		RestTestClient client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
		// Makes the lock known, so that Prometheus has seen its meters before they change
		race(client, true);
		this.prometheus = new PrometheusServer(port);
		await().atMost(PATIENCE).until(() -> has(this.prometheus.query("fence_rejected_total")));
		race(client, false);
		race(client, true);
	}

	private static void race(RestTestClient client, boolean fenced) {
		client.post()
			.uri("/api/races")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("fenced", fenced))
			.exchangeSuccessfully();
	}

	@AfterAll
	void stopPrometheus() throws IOException {
		if (this.prometheus != null) {
			this.prometheus.close();
		}
	}

	@Test
	@Order(1)
	void everyPanelHasDataAfterOneRace() {
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.dashboard.panels())
				.allMatch((panel) -> panel.targets().stream().anyMatch(this::hasData)));
	}

	@Test
	@Order(2)
	void everyExpressionHasDataOnceALeaseIsRenewed() {
		LockRequest request = LockRequest.of("document").key("renewed").leaseTime(Duration.ofMillis(900));
		this.locks.executeWithoutResult(request,
				(context) -> await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(this.dashboard.panels()).flatExtracting(Panel::targets)
						.allMatch((target) -> hasData(target) || isOptional(target))));
	}

	private static boolean isOptional(Target target) {
		return target.expression().contains(OptionalMeters.DROPPED);
	}

	@Test
	void numbersAtTheTopTellOfTheRace() {
		await().atMost(PATIENCE).untilAsserted(() -> {
			assertThat(value("Rejections")).isGreaterThanOrEqualTo(1);
			assertThat(value("Leases lost")).isGreaterThanOrEqualTo(1);
		});
		assertThat(value("Issuer regressions")).isZero();
		assertThat(value("Late renewals")).isBetween(0.0, 1.0);
	}

	private double value(String title) {
		Panel panel = this.dashboard.panels()
			.stream()
			.filter((candidate) -> candidate.title().equals(title))
			.findFirst()
			.orElseThrow();
		return number(this.prometheus.query(substitute(panel.targets().get(0).expression())).path(0).path("value"));
	}

	@Test
	void everyVariableHasValuesToChooseFrom() {
		Map<String, String> values = new HashMap<>();
		for (Variable variable : this.dashboard.variables()) {
			if (variable.isQuery()) {
				JsonNode found = this.prometheus.labelValues(variable.label(), substitute(variable.series()));
				values.put(variable.name(), found.toString());
			}
		}
		assertThat(values).containsOnlyKeys("job", "instance", "lock")
			.containsEntry("job", "[\"%s\"]".formatted(PrometheusServer.JOB));
		assertThat(values.get("instance")).contains("127.0.0.1:");
		assertThat(values.get("lock")).contains("\"document\"");
	}

	@Test
	void rejectionOfTheRaceFiresItsAlert() {
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.prometheus.query("ALERTS{alertname=\"FencingRejected\","
					+ "alertstate=\"firing\",lock=\"document\",reason=\"stale\",severity=\"warning\"}"))
				.isNotEmpty());
		assertThat(this.prometheus.query("ALERTS{alertname=\"FencingIssuerRegressed\"}")).isEmpty();
		JsonNode rules = this.prometheus.rules();
		assertThat(rules).hasSameSizeAs(AlertRules.read());
		assertThat(rules).allSatisfy((rule) -> assertThat(rule.path("health").asString()).isEqualTo("ok"));
	}

	@Test
	void examplesOfThePageAreAnswered() {
		List<String> examples = new OperationsPage().examples("promql");
		assertThat(examples).isNotEmpty()
			.allSatisfy((expression) -> assertThat(this.prometheus.query(expression).isArray()).isTrue());
	}

	private boolean hasData(Target target) {
		String expression = substitute(target.expression());
		return has(
				target.isInstant() ? this.prometheus.query(expression) : this.prometheus.queryRange(expression, RANGE));
	}

	/**
	 * Put in what Grafana puts in while nothing is chosen.
	 */
	private String substitute(String expression) {
		String result = expression.replace("$__rate_interval", RATE_INTERVAL)
			.replace("$__range", RANGE.toSeconds() + "s");
		for (Variable variable : this.dashboard.variables()) {
			result = result.replace("$" + variable.name(), variable.all());
		}
		assertThat(result).doesNotContain("$");
		return result;
	}

	private static boolean has(JsonNode result) {
		for (JsonNode series : result) {
			if (isNumber(series.path("value"))) {
				return true;
			}
			for (JsonNode value : series.path("values")) {
				if (isNumber(value)) {
					return true;
				}
			}
		}
		return false;
	}

	private static boolean isNumber(JsonNode value) {
		return !value.isMissingNode() && Double.isFinite(number(value));
	}

	private static double number(JsonNode value) {
		return Double.parseDouble(value.path(1).asString().replace("+Inf", "Infinity").replace("-Inf", "-Infinity"));
	}

}
