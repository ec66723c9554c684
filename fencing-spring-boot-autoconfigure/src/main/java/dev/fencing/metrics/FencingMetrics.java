package dev.fencing.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.MeterRegistry;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.Rejection;

/**
 * Counts and measures what happens to leases. All meters of a lock are registered as soon
 * as the lock is known, so that an alert sees the first rejection as a change from 0.
 *
 * <table border="1">
 * <caption>Meters; each also has the tag {@code lock}, the lock name (never the
 * key)</caption>
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
 * </table>
 *
 * @since 0.1.0
 */
public final class FencingMetrics implements FencingListener {

	/**
	 * How many lock names have meters of their own.
	 */
	static final int MAX_LOCKS = 1000;

	/**
	 * The value of the tag {@code lock} for all further ones.
	 */
	static final String OTHER_LOCKS = "(other)";

	private static final Log logger = LogFactory.getLog(FencingMetrics.class);

	private final Map<String, LockMeters> locks = new ConcurrentHashMap<>();

	private final ReentrantLock registering = new ReentrantLock();

	private final MeterRegistry registry;

	/**
	 * Create the meters.
	 * @param registry where they are registered; never null
	 */
	public FencingMetrics(MeterRegistry registry) {
		Assert.notNull(registry, "A meter registry is required");
		this.registry = registry;
	}

	@Override
	public void lockKnown(String lock) {
		meters(lock);
	}

	@Override
	public void acquisitionEnded(String lock, AcquisitionOutcome outcome, Duration waited) {
		meters(lock).acquisitionEnded(outcome, waited);
	}

	@Override
	public void leaseAcquired(FencingContext context) {
		meters(context.name()).leaseAcquired(context.resources().size());
	}

	@Override
	public void leaseRenewed(FencingContext context, double slack) {
		meters(context.name()).leaseRenewed(slack);
	}

	@Override
	public void renewalFailed(FencingContext context, Throwable failure) {
		meters(context.name()).renewalFailed();
	}

	@Override
	public void leaseLost(FencingContext context) {
		meters(context.name()).leaseLost();
	}

	@Override
	public void leaseEnded(FencingContext context, Duration held) {
		meters(context.name()).leaseEnded(context.resources().size(), held);
	}

	@Override
	public void rejected(Rejection rejection) {
		meters(rejection.lock()).rejected(rejection.guard(), rejection.reason());
	}

	@Override
	public void issuerRegressed(Rejection rejection) {
		meters(rejection.lock()).issuerRegressed();
	}

	private LockMeters meters(String lock) {
		LockMeters meters = this.locks.get(lock);
		return (meters != null) ? meters : register(lock);
	}

	// Names come from code and are few. One that is made of a key by mistake must neither
	// fill the memory nor the monitoring system.
	private LockMeters register(String lock) {
		this.registering.lock();
		try {
			if (this.locks.size() < MAX_LOCKS || this.locks.containsKey(lock)) {
				return registered(lock);
			}
			if (!this.locks.containsKey(OTHER_LOCKS)) {
				logger.warn(("There are more than %d lock names: further ones are metered together as lock '%s'. "
						+ "A lock name is one of few values, what tells resources apart is the key")
					.formatted(MAX_LOCKS, OTHER_LOCKS));
			}
			return registered(OTHER_LOCKS);
		}
		finally {
			this.registering.unlock();
		}
	}

	// Not by computeIfAbsent: the registry may block, and a map's monitor would hold the
	// thread that carries a virtual one
	private LockMeters registered(String lock) {
		LockMeters meters = this.locks.get(lock);
		if (meters == null) {
			meters = new LockMeters(this.registry, lock);
			this.locks.put(lock, meters);
		}
		return meters;
	}

}
