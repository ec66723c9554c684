package dev.fencing.testsupport;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;

/**
 * Passes everything on to another provider: for tests that change one answer.
 */
public class DelegatingLeaseProvider implements LeaseProvider {

	private final LeaseProvider delegate;

	public DelegatingLeaseProvider(LeaseProvider delegate) {
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
	public CompletionStage<Boolean> renew(Lease lease, Duration leaseTime) {
		return this.delegate.renew(lease, leaseTime);
	}

	@Override
	public boolean release(Lease lease) {
		return this.delegate.release(lease);
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

}
