package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.lease.RenewalCallback;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.LeasedLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one process has of the lease engine, over a provider of its own, and what it was
 * told of its renewals.
 */
final class LockingProcess implements AutoCloseable {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final LeaseSettings settings;

	private final LeaseProvider provider;

	private final LeaseRenewer renewer;

	private final LeaseAcquirer acquirer;

	private final AtomicInteger renewed = new AtomicInteger();

	private final AtomicInteger failed = new AtomicInteger();

	private final AtomicInteger lost = new AtomicInteger();

	LockingProcess(LeaseProvider provider, Duration leaseTime) {
		this.settings = new LeaseSettings(leaseTime, Duration.ofSeconds(5), null, null);
		this.provider = provider;
		this.renewer = new LeaseRenewer(provider, this.settings);
		this.acquirer = new LeaseAcquirer(provider, this.renewer, this.settings, new HeldLeases());
	}

	/**
	 * Return a template without a database.
	 */
	FencedLockTemplate locks() {
		return locks(null, new FencingListener() {
		});
	}

	/**
	 * Return a template that registers owners.
	 */
	FencedLockTemplate locks(@Nullable GenerationRegistry registry, FencingListener listener) {
		return new LeasedLockTemplate(this.provider, this.acquirer, registry, ActiveTransaction.REJECT, List.of(),
				listener, this.settings.waitTime(), "test");
	}

	@Nullable LeaseHold tryAcquire(LockRequest request, Duration waitTime) {
		LeaseHold hold = this.acquirer.acquire(request, waitTime);
		if (hold != null) {
			hold.report(new Counting());
		}
		return hold;
	}

	LeaseHold acquire(LockRequest request) {
		LeaseHold hold = tryAcquire(request, Duration.ofSeconds(20));
		assertThat(hold).as("the lease on %s", request.resource()).isNotNull();
		return hold;
	}

	/**
	 * Acquire on a thread of its own.
	 */
	CompletableFuture<LeaseHold> acquiring(LockRequest request) {
		return CompletableFuture.supplyAsync(() -> acquire(request), this.threads);
	}

	void release(LeaseHold hold) {
		this.acquirer.end(hold, true);
	}

	/**
	 * Release on a thread of its own.
	 */
	CompletableFuture<Void> releasing(LeaseHold hold) {
		return CompletableFuture.runAsync(() -> release(hold), this.threads);
	}

	LeaseProvider provider() {
		return this.provider;
	}

	ExecutorService threads() {
		return this.threads;
	}

	/**
	 * Return how many renewals were told.
	 */
	int renewed() {
		return this.renewed.get();
	}

	/**
	 * Return how many failures of renewals were told.
	 */
	int failed() {
		return this.failed.get();
	}

	/**
	 * Return how many losses were told.
	 */
	int lost() {
		return this.lost.get();
	}

	/**
	 * Return how many leases are being renewed or asked for.
	 */
	int pending() {
		return this.renewer.pending();
	}

	/**
	 * Return how many resources somebody wants and does not have.
	 */
	int awaited() {
		return this.acquirer.awaited();
	}

	@Override
	public void close() {
		this.renewer.close();
		this.threads.shutdownNow();
	}

	private final class Counting implements RenewalCallback {

		@Override
		public void renewed(double slack) {
			LockingProcess.this.renewed.incrementAndGet();
		}

		@Override
		public void renewalFailed(Throwable failure) {
			LockingProcess.this.failed.incrementAndGet();
		}

		@Override
		public void lost() {
			LockingProcess.this.lost.incrementAndGet();
		}

	}

}
