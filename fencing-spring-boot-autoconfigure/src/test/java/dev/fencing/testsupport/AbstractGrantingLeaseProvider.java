package dev.fencing.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.RenewalAnswer;

/**
 * Grants everybody everything at once. Which numbers it gives is up to the subclass.
 */
public abstract class AbstractGrantingLeaseProvider implements LeaseProvider {

	/**
	 * Return the generation of the next acquisition.
	 */
	protected abstract long generation();

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		return new LeaseAttempt.Granted(new Lease(request.resources(), request.nonce(), generation()));
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
	public @Nullable LeaseState find(String resource) {
		return null;
	}

}
