package dev.fencing.docs.support;

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
 * Somebody's own provider, which is not shown, and only compiled.
 */
public final class TableLeaseProvider implements LeaseProvider {

	private final String name;

	public TableLeaseProvider(MutableClock clock, boolean clockFloor) {
		this.name = "table, clock %s, floor %s".formatted(clock.elapsed(), clockFloor);
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		throw new UnsupportedOperationException(request.toString());
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		throw new UnsupportedOperationException(extensions.toString());
	}

	@Override
	public boolean release(Lease lease, Duration blockedFor) {
		throw new UnsupportedOperationException(lease.toString());
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		throw new UnsupportedOperationException(lease.toString());
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		throw new UnsupportedOperationException(resource);
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		throw new UnsupportedOperationException(resource);
	}

}
