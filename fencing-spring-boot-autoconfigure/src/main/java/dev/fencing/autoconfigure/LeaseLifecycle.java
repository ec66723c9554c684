package dev.fencing.autoconfigure;

import java.util.Set;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

import dev.fencing.lease.HeldLease;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.transaction.OpenTransactions;

/**
 * Keeps an application that stops from closing its connection to the lease provider while
 * code runs under a lease. It waits for what runs, however long that takes:
 * {@code spring.lifecycle.timeout-per-shutdown-phase} says for how long. It stops
 * nothing: leases are taken, renewed and given back until the connection closes, and
 * again when that has been started again.
 */
final class LeaseLifecycle implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(LeaseLifecycle.class);

	/** That of Spring Data's connection factories, unless they are told another. */
	private static final int USUAL_PHASE = 0;

	private final HeldLeases held;

	private final @Nullable LeaseProvider provider;

	private volatile boolean running;

	LeaseLifecycle(HeldLeases held, @Nullable LeaseProvider provider) {
		this.held = held;
		this.provider = provider;
	}

	@Override
	public void start() {
		if (phaseOfConnection() == Integer.MAX_VALUE) {
			logger.warn("The connection to the lease provider closes with all that stops first, since its phase is "
					+ "Integer.MAX_VALUE: code that runs under a lease is not waited for. Set a lower phase");
		}
		this.running = true;
	}

	/**
	 * Stop without waiting: nobody could tell for how long.
	 */
	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public void stop(Runnable callback) {
		stop();
		// Who stops the application under a lease of its own cannot wait for itself
		int own = callsOfThisThread();
		int others = this.held.calls() - own;
		if (others > 0) {
			logger.info("Waiting for the %d calls that have a lease, or wait for one".formatted(others));
		}
		this.held.whenCallsAtMost(own).thenRun(() -> {
			if (this.provider != null) {
				this.provider.rest();
			}
		}).whenComplete((ended, failure) -> callback.run());
	}

	/**
	 * Return how many of the calls that are waited for are this thread's own: it may have
	 * leases of another application in the same process as well.
	 */
	private int callsOfThisThread() {
		Set<String> nonces = this.held.snapshot().stream().map(HeldLease::nonce).collect(Collectors.toSet());
		return (int) OpenTransactions.heldAcquisitions()
			.stream()
			.filter((acquisition) -> nonces.contains(acquisition.owner()))
			.count();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Stop just before the connection does: after whatever begins work, in its own phase,
	 * has stopped doing so.
	 */
	@Override
	public int getPhase() {
		int phase = phaseOfConnection();
		return (phase < Integer.MAX_VALUE) ? phase + 1 : phase;
	}

	private int phaseOfConnection() {
		return (this.provider instanceof Phased phased) ? phased.getPhase() : USUAL_PHASE;
	}

}
