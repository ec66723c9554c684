package dev.fencing.sample.operations;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.sample.operations.PromQl.LabelMatcher;
import dev.fencing.sample.operations.PromQl.Selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link PromQl}.
 */
class PromQlTests {

	@Test
	void functionsKeywordsAndNumbersAreNoMetrics() {
		assertThat(PromQl.selectors("round(max_over_time(a_total[5m] offset 1h)) / 2.5e3 > bool inf or b:c{} unless d"))
			.extracting(Selector::metric)
			.containsExactly("a_total", "b:c", "d");
	}

	@Test
	void matchersAreReadWithOperatorAndText() {
		Selector selector = single("a{b=\"x, {y} by (z)\",c!=\"\", d =~ \"33(\\\\.0)?\", e=~\"$lock\"}[$__range]");
		assertThat(selector.metric()).isEqualTo("a");
		assertThat(selector.matchers()).containsExactly(new LabelMatcher("b", "=", "x, {y} by (z)"),
				new LabelMatcher("c", "!=", ""), new LabelMatcher("d", "=~", "33(\\.0)?"),
				new LabelMatcher("e", "=~", "$lock"));
		assertThat(selector.labels()).containsExactly("b", "c", "d", "e");
	}

	@Test
	void labelsOfAnAggregationBelongToAllThatItEncloses() {
		List<Selector> selectors = PromQl
			.selectors("sum by (x, y) (rate(a{b=\"1\"}[5m]) + max without (z) (c)) / d and on (v) (e)");
		assertThat(selectors).extracting(Selector::metric).containsExactly("a", "c", "d", "e");
		assertThat(selectors.get(0).labels()).containsExactlyInAnyOrder("b", "x", "y", "v");
		assertThat(selectors.get(1).labels()).containsExactlyInAnyOrder("x", "y", "z", "v");
		assertThat(selectors.get(2).labels()).containsExactly("v");
		assertThat(selectors.get(3).labels()).containsExactly("v");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sum(a) by (b)", "{b=\"c\"}", "{__name__=\"c\"}", "a{b}", "a{b=c}", "a{b=\"c\"", "sum(a",
			"a)", "a & b", "a[5m", "a{b='c'}" })
	void whatIsNotUnderstoodIsRefused(String expression) {
		assertThatIllegalArgumentException().isThrownBy(() -> PromQl.selectors(expression))
			.withMessageEndingWith(": " + expression);
	}

	private static Selector single(String expression) {
		List<Selector> selectors = PromQl.selectors(expression);
		assertThat(selectors).hasSize(1);
		return selectors.get(0);
	}

}
