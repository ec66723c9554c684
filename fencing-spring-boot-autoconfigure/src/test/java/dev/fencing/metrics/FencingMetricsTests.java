package dev.fencing.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.PerLock;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.testsupport.FixedContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FencingMetrics}.
 */
class FencingMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final FencingMetrics metrics = new FencingMetrics(this.registry);

	private final FencingContext context = new FixedContext("document", "document:42", 41);

	@Test
	void everythingThatCanBeRefusedIsThereAtZeroForAKnownLock() {
		this.metrics.lockKnown("document");
		assertThat(this.registry.find("fence.rejected").counters()).allSatisfy((counter) -> {
			assertThat(counter.count()).isZero();
			assertThat(counter.getId().getTag("lock")).isEqualTo("document");
		})
			.extracting((counter) -> counter.getId().getTag("guard") + "/" + counter.getId().getTag("reason"))
			.containsExactlyInAnyOrder("registration/stale", "registration/regressed", "transaction/stale",
					"transaction/foreign", "row/stale", "row/foreign", "lease/stale", "lease/foreign");
	}

	@Test
	void allMetersOfAKnownLockAreThereWithADescription() {
		this.metrics.lockKnown("document");
		assertThat(meterIds()).extracting(Meter.Id::getName)
			.containsOnly("fence.rejected", "fence.lease.acquire", "fence.lease.held", "fence.lease.renewal.slack",
					"fence.lease.renewal.failures", "fence.lease.lost", "fence.leases.active",
					"fence.issuer.regressions");
		assertThat(meterIds()).allSatisfy((id) -> assertThat(id.getDescription()).isNotBlank());
	}

	@Test
	void rejectionIsCountedByLockGuardAndReason() {
		this.metrics.rejected(rejection("document", Guard.TRANSACTION, Reason.STALE));
		this.metrics.rejected(rejection("document", Guard.TRANSACTION, Reason.STALE));
		this.metrics.rejected(rejection("document", Guard.ROW, Reason.FOREIGN));
		this.metrics.rejected(rejection("customer", Guard.TRANSACTION, Reason.STALE));
		assertThat(rejected("document", "transaction", "stale")).isEqualTo(2);
		assertThat(rejected("document", "row", "foreign")).isOne();
		assertThat(rejected("document", "row", "stale")).isZero();
		assertThat(rejected("customer", "transaction", "stale")).isOne();
	}

	@Test
	void rejectionThatWasNotExpectedIsCountedAllTheSame() {
		this.metrics.rejected(rejection("document", Guard.ROW, Reason.REGRESSED));
		assertThat(rejected("document", "row", "regressed")).isOne();
	}

	@Test
	void regressionIsCountedApart() {
		this.metrics.issuerRegressed(rejection("document", Guard.REGISTRATION, Reason.REGRESSED));
		assertThat(this.registry.get("fence.issuer.regressions").tag("lock", "document").counter().count()).isOne();
	}

	@Test
	void attemptIsTimedByOutcome() {
		this.metrics.acquisitionEnded("document", AcquisitionOutcome.ACQUIRED, Duration.ofMillis(20));
		this.metrics.acquisitionEnded("document", AcquisitionOutcome.UNAVAILABLE, Duration.ofSeconds(5));
		assertThat(acquire("acquired").count()).isOne();
		assertThat(acquire("acquired").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(20);
		assertThat(acquire("unavailable").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(5000);
		assertThat(acquire("skipped").count()).isZero();
		assertThat(acquire("failed").count()).isZero();
	}

	@Test
	void activeLeasesGoUpAndDown() {
		this.metrics.leaseAcquired(this.context);
		this.metrics.leaseAcquired(new FixedContext("document", "document:43", 42));
		assertThat(active()).isEqualTo(2);
		this.metrics.leaseEnded(this.context, Duration.ofSeconds(3));
		assertThat(active()).isOne();
		Timer held = this.registry.get("fence.lease.held").tag("lock", "document").timer();
		assertThat(held.count()).isOne();
		assertThat(held.totalTime(TimeUnit.SECONDS)).isEqualTo(3);
	}

	@Test
	void lossAndFailedRenewalsAreCounted() {
		this.metrics.renewalFailed(this.context, new IllegalStateException());
		this.metrics.renewalFailed(this.context, new IllegalStateException());
		this.metrics.leaseLost(this.context);
		assertThat(this.registry.get("fence.lease.renewal.failures").tag("lock", "document").counter().count())
			.isEqualTo(2);
		assertThat(this.registry.get("fence.lease.lost").tag("lock", "document").counter().count()).isOne();
	}

	@Test
	void renewalSlackFallsIntoBuckets() {
		this.metrics.leaseRenewed(this.context, 0.099);
		this.metrics.leaseRenewed(this.context, 0.329);
		this.metrics.leaseRenewed(this.context, 0.331);
		this.metrics.leaseRenewed(this.context, 0.66);
		DistributionSummary slack = this.registry.get("fence.lease.renewal.slack").tag("lock", "document").summary();
		assertThat(slack.count()).isEqualTo(4);
		assertThat(slack.max()).isEqualTo(66);
		assertThat(slack.takeSnapshot().histogramCounts()).extracting(CountAtBucket::bucket)
			.containsExactly(10.0, 33.0, 50.0);
		assertThat(slack.takeSnapshot().histogramCounts()).extracting(CountAtBucket::count)
			.containsExactly(1.0, 2.0, 3.0);
	}

	@Test
	void noMeterCarriesTheKey() {
		useAll();
		assertThat(this.registry.getMeters()).flatExtracting((meter) -> meter.getId().getTags())
			.extracting(Tag::getValue)
			.noneMatch((value) -> value.contains("42"));
	}

	@Test
	void metersOfOneNameHaveTheSameTags() {
		useAll();
		Map<String, Set<Set<String>>> tagKeys = meterIds().stream()
			.collect(Collectors.groupingBy(Meter.Id::getName,
					Collectors.mapping(
							(id) -> id.getTags().stream().map(Tag::getKey).collect(Collectors.toUnmodifiableSet()),
							Collectors.toSet())));
		assertThat(tagKeys).hasSize(8).allSatisfy((name, keys) -> assertThat(keys).hasSize(1));
	}

	@Test
	void namesWithoutEndShareTheMetersOfOne() {
		int known = PerLock.MAX_LOCKS;
		for (int i = 0; i < known; i++) {
			this.metrics.lockKnown("lock-" + i);
		}
		int meters = this.registry.getMeters().size();
		this.metrics.rejected(rejection("further-1", Guard.ROW, Reason.STALE));
		this.metrics.rejected(rejection("further-2", Guard.ROW, Reason.STALE));
		this.metrics.rejected(rejection("lock-0", Guard.ROW, Reason.STALE));
		assertThat(rejected(PerLock.OTHER_LOCKS, "row", "stale")).isEqualTo(2);
		assertThat(rejected("lock-0", "row", "stale")).isOne();
		assertThat(this.registry.getMeters()).hasSize(meters + meters / known);
	}

	@Test
	void whatAStoreNeverGotIsCounted() {
		AtomicLong dropped = new AtomicLong();
		this.metrics.countDropped(dropped::get);
		dropped.set(7);
		assertThat(this.registry.get("fence.rejections.dropped").functionCounter().count()).isEqualTo(7);
	}

	private void useAll() {
		for (Guard guard : Guard.values()) {
			for (Reason reason : Reason.values()) {
				this.metrics.rejected(rejection("document", guard, reason));
			}
		}
		for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
			this.metrics.acquisitionEnded("customer", outcome, Duration.ofMillis(1));
		}
		this.metrics.leaseAcquired(this.context);
		this.metrics.leaseRenewed(this.context, 0.5);
		this.metrics.renewalFailed(this.context, new IllegalStateException());
		this.metrics.leaseLost(this.context);
		this.metrics.leaseEnded(this.context, Duration.ofSeconds(1));
		this.metrics.issuerRegressed(rejection("document", Guard.REGISTRATION, Reason.REGRESSED));
	}

	// Without the gauges that this registry itself makes of buckets
	private List<Meter.Id> meterIds() {
		return this.registry.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> !id.getName().endsWith(".histogram"))
			.toList();
	}

	private double rejected(String lock, String guard, String reason) {
		Counter counter = this.registry.get("fence.rejected")
			.tags("lock", lock, "guard", guard, "reason", reason)
			.counter();
		return counter.count();
	}

	private Timer acquire(String outcome) {
		return this.registry.get("fence.lease.acquire").tags("lock", "document", "outcome", outcome).timer();
	}

	private double active() {
		return this.registry.get("fence.leases.active").tag("lock", "document").gauge().value();
	}

	private static Rejection rejection(String lock, Guard guard, Reason reason) {
		return new Rejection(Instant.EPOCH, lock, lock + ":42", FencingTokens.of(41, 1), FencingTokens.of(42, 0), guard,
				reason, "a1", "host-1");
	}

}
