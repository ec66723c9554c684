package dev.fencing.sample.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.test.web.servlet.client.RestTestClient;

import dev.fencing.sample.SampleTest;
import dev.fencing.sample.operations.AlertRules.Rule;
import dev.fencing.sample.operations.Dashboard.Target;
import dev.fencing.sample.operations.Dashboard.Variable;
import dev.fencing.sample.operations.PromQl.Selector;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that what the dashboard, the alerts and the page for operators name is there in
 * the running application, and that none of its meters is forgotten.
 */
@SampleTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricNamesTests {

	private final Dashboard dashboard = new Dashboard();

	private final OperationsPage page = new OperationsPage();

	@Autowired
	private JdbcTemplate jdbc;

	private Scrape scrape;

	@BeforeAll
	void raceAndScrape(@LocalServerPort int port) {
		RestTestClient client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
		for (boolean fenced : List.of(true, false)) {
			client.post()
				.uri("/api/races")
				.contentType(MediaType.APPLICATION_JSON)
				.body(Map.of("fenced", fenced))
				.exchangeSuccessfully();
		}
		String meters = client.get()
			.uri("/actuator/prometheus")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		this.scrape = Scrape.of(meters + OptionalMeters.dropped());
	}

	@Test
	void dashboardNamesWhatThereIs() {
		List<String> expressions = dashboardExpressions();
		assertThat(expressions).hasSizeGreaterThan(20);
		assertThat(this.scrape.missing(expressions)).isEmpty();
	}

	@Test
	void alertsNameWhatThereIs() {
		List<String> expressions = AlertRules.read().stream().map(Rule::expression).toList();
		assertThat(expressions).isNotEmpty();
		assertThat(this.scrape.missing(expressions)).isEmpty();
	}

	@Test
	void whatThereIsNotIsFound() {
		assertThat(this.scrape.missing(List.of("sum by (lock, key) (rate(fence_rejected_total{guard=\"table\"}[5m]))",
				"fence_rejected", "max(fence_lease_lost_total{owner=~\"$owner\"})",
				"fence_lease_acquire_seconds_count{outcome!=\"skiped\"} > on (job, lock) fence_leases_active",
				"fence_rejected_total{reason=~\"stale|foreign\",lock=~\"$lock\"}")))
			.containsExactly("fence_rejected_total{key}", "fence_rejected_total{guard: table}", "fence_rejected",
					"fence_lease_lost_total{owner}", "fence_lease_acquire_seconds_count{outcome: skiped}");
	}

	@Test
	void everyMeterIsShownOrExplained() {
		Set<String> known = new TreeSet<>(this.page.metrics());
		dashboardExpressions().stream()
			.flatMap((expression) -> PromQl.selectors(expression).stream())
			.map(Selector::metric)
			.forEach(known::add);
		assertThat(this.scrape.metrics()).filteredOn((metric) -> metric.startsWith("fence_"))
			.hasSizeGreaterThan(10)
			.allSatisfy((metric) -> assertThat(known).contains(metric));
	}

	@Test
	void pageNamesWhatThereIs() {
		assertThat(this.page.metrics()).isNotEmpty().allSatisfy((metric) -> assertThat(known(metric)).isTrue());
		assertThat(this.page.examples("promql")).isNotEmpty();
		List<String> missing = this.scrape.missing(this.page.examples("promql"));
		assertThat(missing).filteredOn((metric) -> !known(metric)).isEmpty();
	}

	/**
	 * Timers have buckets when a property asks for them: see
	 * {@link HistogramPropertyTests}.
	 */
	private boolean known(String metric) {
		return this.scrape.metrics().contains(metric) || (metric.endsWith("_seconds_bucket")
				&& this.scrape.metrics().contains(metric.replaceAll("_bucket$", "_count")));
	}

	@Test
	void sqlOfThePageFitsTheTables() {
		// The sample does without this table, as it is configured
		new ResourceDatabasePopulator(new ClassPathResource("dev/fencing/jdbc/rejection-schema-postgresql.sql"))
			.execute(this.jdbc.getDataSource());
		assertThat(this.page.examples("sql")).isNotEmpty()
			.allSatisfy((statement) -> assertThat(this.jdbc.queryForList("explain " + statement)).isNotEmpty());
	}

	private List<String> dashboardExpressions() {
		List<String> expressions = new ArrayList<>();
		this.dashboard.panels()
			.forEach((panel) -> panel.targets().stream().map(Target::expression).forEach(expressions::add));
		this.dashboard.variables()
			.stream()
			.filter(Variable::isQuery)
			.map((variable) -> "max by (%s) (%s)".formatted(variable.label(), variable.series()))
			.forEach(expressions::add);
		return expressions;
	}

}
