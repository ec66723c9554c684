package dev.fencing.testsupport;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.RenewalAnswer;

/**
 * A provider that owners may be cut off from, and that counts those who come too late.
 */
public final class CutOffProvider extends DelegatingLeaseProvider {

	private final AtomicInteger refusals = new AtomicInteger();

	private volatile boolean acquiring = true;

	private volatile boolean renewing = true;

	public CutOffProvider(LeaseProvider delegate) {
		super(delegate);
	}

	/**
	 * Let nobody acquire or renew.
	 */
	public void cutOff() {
		this.acquiring = false;
		this.renewing = false;
	}

	/**
	 * Let nobody renew: whoever holds a lease loses it when its time is over.
	 */
	public void cutOffOwners() {
		this.renewing = false;
	}

	/**
	 * Let all be as before.
	 */
	public void reconnect() {
		this.acquiring = true;
		this.renewing = true;
	}

	/**
	 * Return how many attempts found that another owner has the lease.
	 */
	public int refusals() {
		return this.refusals.get();
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		if (!this.acquiring) {
			throw new LeaseProviderException("Cut off");
		}
		LeaseAttempt attempt = super.acquire(request);
		if (attempt instanceof LeaseAttempt.Held) {
			this.refusals.incrementAndGet();
		}
		return attempt;
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		return this.renewing ? super.renew(extensions)
				: CompletableFuture.failedFuture(new LeaseProviderException("Cut off"));
	}

}
