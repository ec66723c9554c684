package dev.fencing.sample.operations;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import dev.fencing.sample.operations.Dashboard.Panel;
import dev.fencing.sample.operations.Dashboard.Target;
import dev.fencing.sample.operations.Dashboard.Variable;
import dev.fencing.sample.operations.PromQl.Selector;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the dashboard can be imported anywhere and that its panels explain
 * themselves.
 */
class DashboardTests {

	private final Dashboard dashboard = new Dashboard();

	@Test
	void hasNoIdAndNoDataSourceOfOneGrafana() {
		assertThat(this.dashboard.json().path("id").isNull()).isTrue();
		assertThat(this.dashboard.json().path("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
		assertThat(this.dashboard.variables().get(0).name()).isEqualTo("datasource");
		assertThat(this.dashboard.variables()).filteredOn(Variable::isQuery).allSatisfy((variable) -> {
			assertDataSource(variable.json());
			assertThat(variable.all()).isEqualTo(".*");
		});
		for (Panel panel : this.dashboard.panels()) {
			assertDataSource(panel.json());
			panel.targets().forEach((target) -> assertDataSource(target.json()));
		}
	}

	private static void assertDataSource(JsonNode owner) {
		assertThat(owner.path("datasource").path("uid").asString()).as(owner.toString()).isEqualTo("${datasource}");
	}

	@Test
	void applicationInstanceAndLockCanBeChosenEverywhere() {
		assertThat(this.dashboard.variables()).extracting(Variable::name)
			.containsExactly("datasource", "job", "instance", "lock");
		for (Panel panel : this.dashboard.panels()) {
			for (Target target : panel.targets()) {
				assertThat(PromQl.selectors(target.expression())).as(panel.title())
					.isNotEmpty()
					.allSatisfy((selector) -> assertThat(matchers(selector)).containsAll(choices(selector)));
			}
		}
	}

	private static List<String> matchers(Selector selector) {
		return selector.matchers()
			.stream()
			.map((matcher) -> matcher.label() + matcher.operator() + matcher.value())
			.toList();
	}

	private static List<String> choices(Selector selector) {
		return selector.metric().equals(OptionalMeters.DROPPED) ? List.of("job=~$job", "instance=~$instance")
				: List.of("job=~$job", "instance=~$instance", "lock=~$lock");
	}

	@Test
	void everyPanelSaysWhatItShowsAndInWhichUnit() {
		assertThat(this.dashboard.panels()).hasSizeGreaterThan(10).allSatisfy((panel) -> {
			assertThat(panel.title()).isNotBlank();
			assertThat(panel.json().path("description").asString("")).as(panel.title()).hasSizeGreaterThan(30);
			assertThat(panel.json().path("fieldConfig").path("defaults").path("unit").asString("")).as(panel.title())
				.isNotBlank();
			assertThat(panel.targets()).as(panel.title()).isNotEmpty();
			assertThat(panel.targets()).extracting((target) -> target.json().path("refId").asString())
				.as(panel.title())
				.doesNotHaveDuplicates();
		});
	}

	@Test
	void elementsHaveNumbersOfTheirOwnAndDoNotOverlap() {
		List<JsonNode> elements = this.dashboard.elements();
		assertThat(elements).extracting((element) -> element.path("id").asInt()).doesNotHaveDuplicates();
		assertThat(Dashboard.isRow(elements.get(0))).as("begins with a row").isTrue();
		List<String> taken = new ArrayList<>();
		for (JsonNode element : elements) {
			JsonNode place = element.path("gridPos");
			assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(24);
			for (int x = 0; x < place.path("w").asInt(); x++) {
				for (int y = 0; y < place.path("h").asInt(); y++) {
					taken.add("%d/%d".formatted(place.path("x").asInt() + x, place.path("y").asInt() + y));
				}
			}
		}
		assertThat(taken).isNotEmpty().doesNotHaveDuplicates();
	}

}
