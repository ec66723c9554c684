package dev.fencing.metrics;

import java.time.Duration;
import java.time.Instant;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.testsupport.FixedContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what Prometheus sees of {@link FencingMetrics}: these names are what alert
 * rules and dashboards are made of.
 */
class PrometheusTests {

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private final FencingMetrics metrics = new FencingMetrics(this.registry);

	@Test
	void rejectionsAreThereAtZeroBeforeTheFirstOne() {
		this.metrics.lockKnown("document");
		this.metrics.lockKnown("customer");
		assertThat(this.registry.scrape().lines()).contains(
				"fence_rejected_total{guard=\"transaction\",lock=\"document\",reason=\"stale\"} 0.0",
				"fence_rejected_total{guard=\"registration\",lock=\"document\",reason=\"regressed\"} 0.0",
				"fence_rejected_total{guard=\"row\",lock=\"customer\",reason=\"foreign\"} 0.0");
	}

	@Test
	void everythingHasItsName() {
		FencingContext context = new FixedContext("document", "document:42", 41);
		this.metrics.lockKnown("document");
		this.metrics.rejected(rejection(Guard.ROW, Reason.REGRESSED));
		this.metrics.issuerRegressed(rejection(Guard.REGISTRATION, Reason.REGRESSED));
		this.metrics.acquisitionEnded("document", AcquisitionOutcome.ACQUIRED, Duration.ofMillis(500));
		this.metrics.leaseAcquired(context);
		this.metrics.leaseRenewed(context, 0.25);
		this.metrics.renewalFailed(context, new IllegalStateException());
		this.metrics.leaseLost(context);
		this.metrics.leaseEnded(context, Duration.ofSeconds(2));
		assertThat(this.registry.scrape().lines()).contains(
				"fence_rejected_total{guard=\"row\",lock=\"document\",reason=\"regressed\"} 1.0",
				"fence_lease_acquire_seconds_count{lock=\"document\",outcome=\"acquired\"} 1",
				"fence_lease_acquire_seconds_sum{lock=\"document\",outcome=\"acquired\"} 0.5",
				"fence_lease_held_seconds_sum{lock=\"document\"} 2.0",
				"fence_lease_renewal_slack_percent_bucket{lock=\"document\",le=\"10.0\"} 0",
				"fence_lease_renewal_slack_percent_bucket{lock=\"document\",le=\"33.0\"} 1",
				"fence_lease_renewal_slack_percent_bucket{lock=\"document\",le=\"50.0\"} 1",
				"fence_lease_renewal_failures_total{lock=\"document\"} 1.0",
				"fence_lease_lost_total{lock=\"document\"} 1.0", "fence_leases_active{lock=\"document\"} 0.0",
				"fence_issuer_regressions_total{lock=\"document\"} 1.0");
	}

	private static Rejection rejection(Guard guard, Reason reason) {
		return new Rejection(Instant.EPOCH, "document", "document:42", FencingTokens.of(41, 1), FencingTokens.of(42, 0),
				guard, reason, "a1", "host-1");
	}

}
