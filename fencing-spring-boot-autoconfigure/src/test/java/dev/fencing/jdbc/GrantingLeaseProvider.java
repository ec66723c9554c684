package dev.fencing.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.Renewals;

/**
 * Grants everybody everything, with the generation that the test asks for.
 */
class GrantingLeaseProvider implements LeaseProvider {

	private final AtomicLong generation = new AtomicLong();

	private final AtomicLong raisedAbove = new AtomicLong();

	/**
	 * Set the generation of the next acquisition.
	 */
	void next(long generation) {
		this.generation.set(generation);
	}

	/**
	 * Return the generation above which the counter was raised last, or 0.
	 */
	long raisedAbove() {
		return this.raisedAbove.get();
	}

	@Override
	public String name() {
		return "granting";
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		return new LeaseAttempt.Granted(new Lease(request.resources(), request.nonce(), this.generation.get()));
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		return Renewals.allRenewed(extensions);
	}

	@Override
	public boolean release(Lease lease, Duration blockedFor) {
		return true;
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		return null;
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		this.raisedAbove.set(aboveGeneration);
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		return null;
	}

}
