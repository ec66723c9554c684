package dev.fencing.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.ReleaseWatch;
import dev.fencing.lease.RenewalAnswer;

/**
 * Passes everything on to another provider: for tests that change one answer.
 */
public class DelegatingLeaseProvider implements LeaseProvider {

	private volatile LeaseProvider delegate;

	public DelegatingLeaseProvider(LeaseProvider delegate) {
		this.delegate = delegate;
	}

	/**
	 * Pass everything on to another one from now on.
	 */
	protected void delegateTo(LeaseProvider delegate) {
		this.delegate = delegate;
	}

	@Override
	public String name() {
		return this.delegate.name();
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		return this.delegate.acquire(request);
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		return this.delegate.renew(extensions);
	}

	@Override
	public boolean release(Lease lease, Duration blockedFor) {
		return this.delegate.release(lease, blockedFor);
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		return this.delegate.heal(lease, aboveGeneration);
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		this.delegate.raise(resource, aboveGeneration);
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		return this.delegate.find(resource);
	}

	@Override
	public ReleaseWatch watch(String resource, Runnable mayBeFree) {
		return this.delegate.watch(resource, mayBeFree);
	}

	@Override
	public void rest() {
		this.delegate.rest();
	}

	@Override
	public int partition(String resource) {
		return this.delegate.partition(resource);
	}

	@Override
	public DurabilityReport durability(Duration longestWait) {
		return this.delegate.durability(longestWait);
	}

}
