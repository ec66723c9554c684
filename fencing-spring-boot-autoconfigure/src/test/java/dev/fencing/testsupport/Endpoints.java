package dev.fencing.testsupport;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencedLockTemplate;
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.FencingSources;
import dev.fencing.actuate.KeyMask;
import dev.fencing.actuate.LockTotals;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.LeasedLockTemplate;

/**
 * Endpoints without an application around them.
 */
public final class Endpoints {

	private Endpoints() {
	}

	/**
	 * Create an endpoint over what a test knows; whatever else it asks says nothing.
	 * @param provider tells who holds a lease; never null
	 * @param instance the id of this instance; never null
	 * @param log what was refused; never null
	 * @return the endpoint; never null
	 */
	public static FencingEndpoint of(LeaseProvider provider, String instance, RejectionLog log) {
		return of(provider, instance, log, null);
	}

	/**
	 * Create an endpoint over what a test knows; whatever else it asks says nothing.
	 * @param provider tells who holds a lease; never null
	 * @param instance the id of this instance; never null
	 * @param log what was refused; never null
	 * @param registry tells what is registered; null for no registration
	 * @return the endpoint; never null
	 */
	public static FencingEndpoint of(LeaseProvider provider, String instance, RejectionLog log,
			@Nullable GenerationRegistry registry) {
		HeldLeases held = new HeldLeases();
		return new FencingEndpoint(sources(provider, instance, held, acquirer(provider, held), log, registry));
	}

	/**
	 * Create what an endpoint asks.
	 * @param provider tells who holds a lease; never null
	 * @param instance the id of this instance; never null
	 * @param held what this instance holds; never null
	 * @param acquirer tells who waits; never null
	 * @param log what was refused; never null
	 * @param registry tells what is registered; null for no registration
	 * @return the sources; never null
	 */
	public static FencingSources sources(LeaseProvider provider, String instance, HeldLeases held,
			LeaseAcquirer acquirer, RejectionLog log, @Nullable GenerationRegistry registry) {
		LockTotals totals = new LockTotals();
		FencedLockTemplate locks = new LeasedLockTemplate(provider, acquirer, registry, ActiveTransaction.REJECT,
				List.of(), new CompositeFencingListener(List.of(log, totals)), Duration.ZERO, instance);
		return new FencingSources(instance, provider, held, acquirer, totals, log, log, null, registry, locks,
				KeyMask.NONE);
	}

	private static LeaseAcquirer acquirer(LeaseProvider provider, HeldLeases held) {
		LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, null);
		LeaseRenewer renewer = new LeaseRenewer(provider, settings);
		// What an endpoint takes it gives back at once; no thread must stay behind
		renewer.close();
		return new LeaseAcquirer(provider, renewer, settings, held);
	}

}
