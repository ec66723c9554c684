package dev.fencing.docs;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import dev.fencing.metrics.FencingMetrics;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Prometheus gets after one rejection.
 */
final class MeterText implements SnippetChecker {

	@Override
	public void check(Snippet snippet) {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		FencingMetrics metrics = new FencingMetrics(registry);
		metrics.lockKnown(RejectionText.SHOWN.lock());
		metrics.rejected(RejectionText.SHOWN);
		assertThat(registry.scrape().lines()).as("%s: what Prometheus gets", snippet.place())
			.containsAll(snippet.lines());
	}

}
