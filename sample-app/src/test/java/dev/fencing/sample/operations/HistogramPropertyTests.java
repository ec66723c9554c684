package dev.fencing.sample.operations;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the properties with which timers get buckets, as the page for operators has
 * them.
 */
class HistogramPropertyTests {

	@Test
	void timersHaveNoBucketsUnlessAPropertySaysSo() {
		assertThat(scrape(Map.of()).metrics()).contains("fence_lease_acquire_seconds_count")
			.doesNotContain("fence_lease_acquire_seconds_bucket", "fence_lease_held_seconds_bucket");
	}

	@Test
	void percentilesHistogramGivesBuckets() {
		String property = "management.metrics.distribution.percentiles-histogram.fence.lease.acquire";
		assertThat(Documents.read(Documents.OPERATIONS)).contains(property + "=true");
		assertThat(scrape(Map.of(property, "true")).metrics()).contains("fence_lease_acquire_seconds_bucket")
			.doesNotContain("fence_lease_held_seconds_bucket");
	}

	@Test
	void objectivesAreBuckets() {
		String property = "management.metrics.distribution.slo.fence.lease.held";
		assertThat(Documents.read(Documents.OPERATIONS)).contains(property + "=10s,30s");
		Scrape scrape = scrape(Map.of(property, "10s,30s"));
		assertThat(scrape.missing(List.of("fence_lease_held_seconds_bucket{le=\"10.0\"}",
				"fence_lease_held_seconds_bucket{le=\"30.0\"}")))
			.isEmpty();
	}

	private static Scrape scrape(Map<String, String> properties) {
		return Scrape.of(OptionalMeters.scrape(properties));
	}

}
