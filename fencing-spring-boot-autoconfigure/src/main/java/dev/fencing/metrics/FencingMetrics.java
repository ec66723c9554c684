package dev.fencing.metrics;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.PerLock;
import dev.fencing.Rejection;

/**
 * Counts and measures what happens to leases. All meters of a lock are registered as soon
 * as the lock is known, so that an alert sees the first rejection as a change from 0.
 *
 * <table border="1">
 * <caption>Meters; each but the last also has the tag {@code lock}, the lock name (never
 * the key)</caption>
 * <tr>
 * <th>meter</th>
 * <th>type</th>
 * <th>what</th>
 * </tr>
 * <tr>
 * <td>{@code fence.rejected}</td>
 * <td>counter; tags {@code guard}, {@code reason}</td>
 * <td>what was refused because its owner is not the registered one</td>
 * </tr>
 * <tr>
 * <td>{@code fence.lease.acquire}</td>
 * <td>timer; tag {@code outcome}</td>
 * <td>how long an attempt to take a lease took</td>
 * </tr>
 * <tr>
 * <td>{@code fence.lease.held}</td>
 * <td>timer</td>
 * <td>how long a lease was held</td>
 * </tr>
 * <tr>
 * <td>{@code fence.lease.renewal.slack}</td>
 * <td>distribution</td>
 * <td>what was left of the lease time at a successful renewal, in percent; buckets at 10,
 * 33 and 50</td>
 * </tr>
 * <tr>
 * <td>{@code fence.lease.renewal.failures}</td>
 * <td>counter</td>
 * <td>attempts to renew that failed</td>
 * </tr>
 * <tr>
 * <td>{@code fence.lease.lost}</td>
 * <td>counter</td>
 * <td>leases lost while their code was running</td>
 * </tr>
 * <tr>
 * <td>{@code fence.leases.active}</td>
 * <td>gauge</td>
 * <td>leases that this instance holds, one for each resource</td>
 * </tr>
 * <tr>
 * <td>{@code fence.issuer.regressions}</td>
 * <td>counter</td>
 * <td>numbers from the lease provider that were not greater than the accepted one</td>
 * </tr>
 * <tr>
 * <td>{@code fence.rejections.dropped}</td>
 * <td>counter; no tag</td>
 * <td>rejections that their table never got, if they are stored in one</td>
 * </tr>
 * </table>
 *
 * @since 0.1.0
 */
public final class FencingMetrics implements FencingListener {

	private final PerLock<LockMeters> meters;

	private final MeterRegistry registry;

	private volatile LongSupplier dropped = () -> 0;

	/**
	 * Create the meters.
	 * @param registry where they are registered; never null
	 */
	public FencingMetrics(MeterRegistry registry) {
		Assert.notNull(registry, "A meter registry is required");
		this.registry = registry;
		this.meters = new PerLock<>((lock) -> new LockMeters(registry, lock));
	}

	/**
	 * Count the rejections that a store never got.
	 * @param dropped returns how many there were since the start; never null
	 */
	public void countDropped(LongSupplier dropped) {
		this.dropped = dropped;
		FunctionCounter.builder("fence.rejections.dropped", this, (metrics) -> metrics.dropped.getAsLong())
			.description("Rejections that the store never got")
			.register(this.registry);
	}

	@Override
	public void lockKnown(String lock) {
		this.meters.get(lock);
	}

	@Override
	public void acquisitionEnded(String lock, AcquisitionOutcome outcome, Duration waited) {
		this.meters.get(lock).acquisitionEnded(outcome, waited);
	}

	@Override
	public void leaseAcquired(FencingContext context) {
		this.meters.get(context.name()).leaseAcquired(context.resources().size());
	}

	@Override
	public void leaseRenewed(FencingContext context, double slack) {
		this.meters.get(context.name()).leaseRenewed(slack);
	}

	@Override
	public void renewalFailed(FencingContext context, Throwable failure) {
		this.meters.get(context.name()).renewalFailed();
	}

	@Override
	public void leaseLost(FencingContext context) {
		this.meters.get(context.name()).leaseLost();
	}

	@Override
	public void leaseEnded(FencingContext context, Duration held) {
		this.meters.get(context.name()).leaseEnded(context.resources().size(), held);
	}

	@Override
	public void rejected(Rejection rejection) {
		this.meters.get(rejection.lock()).rejected(rejection.guard(), rejection.reason());
	}

	@Override
	public void issuerRegressed(Rejection rejection) {
		this.meters.get(rejection.lock()).issuerRegressed();
	}

}
