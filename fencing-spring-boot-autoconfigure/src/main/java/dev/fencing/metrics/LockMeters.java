package dev.fencing.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;

/**
 * The meters of one lock name, all registered at once. Counters and gauges have a base
 * unit only where their name ends with it: Prometheus appends it to the name otherwise,
 * and alerts ask for {@code fence_rejected_total}.
 */
final class LockMeters {

	private static final List<Cause> CAUSES = List.of(new Cause(Guard.REGISTRATION, Reason.STALE),
			new Cause(Guard.REGISTRATION, Reason.REGRESSED), new Cause(Guard.TRANSACTION, Reason.STALE),
			new Cause(Guard.TRANSACTION, Reason.FOREIGN), new Cause(Guard.ROW, Reason.STALE),
			new Cause(Guard.ROW, Reason.FOREIGN), new Cause(Guard.LEASE, Reason.STALE),
			new Cause(Guard.LEASE, Reason.FOREIGN));

	private final MeterRegistry registry;

	private final Tags tags;

	private final Map<Cause, Counter> rejected = new ConcurrentHashMap<>();

	private final Map<AcquisitionOutcome, Timer> acquire = new EnumMap<>(AcquisitionOutcome.class);

	private final Timer held;

	private final DistributionSummary renewalSlack;

	private final Counter renewalFailures;

	private final Counter lost;

	private final AtomicInteger active = new AtomicInteger();

	private final Counter regressions;

	LockMeters(MeterRegistry registry, String lock) {
		this.registry = registry;
		this.tags = Tags.of("lock", lock);
		for (Cause cause : CAUSES) {
			this.rejected.put(cause, rejectedCounter(cause));
		}
		for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
			this.acquire.put(outcome, acquireTimer(outcome));
		}
		this.held = Timer.builder("fence.lease.held")
			.description("How long a lease was held")
			.tags(this.tags)
			.register(registry);
		// In percent, since Micrometer rounds what it puts into buckets up to the next
		// whole
		// number: every fraction would count as 1
		this.renewalSlack = DistributionSummary.builder("fence.lease.renewal.slack")
			.description("What was left of the lease time at a successful renewal")
			.baseUnit("percent")
			.scale(100)
			.serviceLevelObjectives(10, 33, 50)
			.minimumExpectedValue(1.0)
			.maximumExpectedValue(100.0)
			.tags(this.tags)
			.register(registry);
		this.renewalFailures = Counter.builder("fence.lease.renewal.failures")
			.description("Attempts to renew a lease that failed")
			.baseUnit("failures")
			.tags(this.tags)
			.register(registry);
		this.lost = Counter.builder("fence.lease.lost")
			.description("Leases lost while their code was running")
			.tags(this.tags)
			.register(registry);
		Gauge.builder("fence.leases.active", this.active, AtomicInteger::get)
			.description("Leases that this instance holds, one for each resource")
			.tags(this.tags)
			.register(registry);
		this.regressions = Counter.builder("fence.issuer.regressions")
			.description("Numbers from the lease provider that were not greater than the accepted one")
			.baseUnit("regressions")
			.tags(this.tags)
			.register(registry);
	}

	private Counter rejectedCounter(Cause cause) {
		return Counter.builder("fence.rejected")
			.description("What was refused because its owner is not the registered one")
			.tags(this.tags)
			.tag("guard", cause.guard().tag())
			.tag("reason", cause.reason().tag())
			.register(this.registry);
	}

	private Timer acquireTimer(AcquisitionOutcome outcome) {
		return Timer.builder("fence.lease.acquire")
			.description("How long an attempt to take a lease took")
			.tags(this.tags)
			.tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
			.register(this.registry);
	}

	void rejected(Guard guard, Reason reason) {
		Cause cause = new Cause(guard, reason);
		Counter counter = this.rejected.get(cause);
		if (counter == null) {
			// Not by computeIfAbsent: the registry may block, and a map's monitor would
			// hold the thread that carries a virtual one. It gives one and the same
			// counter to all who register it
			counter = rejectedCounter(cause);
			this.rejected.put(cause, counter);
		}
		counter.increment();
	}

	void acquisitionEnded(AcquisitionOutcome outcome, Duration waited) {
		Timer timer = this.acquire.get(outcome);
		Assert.state(timer != null, "Every outcome has a timer");
		timer.record(waited);
	}

	void leaseAcquired(int resources) {
		this.active.addAndGet(resources);
	}

	void leaseEnded(int resources, Duration duration) {
		this.active.addAndGet(-resources);
		this.held.record(duration);
	}

	void leaseRenewed(double slack) {
		this.renewalSlack.record(slack);
	}

	void renewalFailed() {
		this.renewalFailures.increment();
	}

	void leaseLost() {
		this.lost.increment();
	}

	void issuerRegressed() {
		this.regressions.increment();
	}

	/**
	 * The two tags that tell rejections apart.
	 *
	 * @param guard what refused
	 * @param reason why
	 */
	private record Cause(Guard guard, Reason reason) {
	}

}
