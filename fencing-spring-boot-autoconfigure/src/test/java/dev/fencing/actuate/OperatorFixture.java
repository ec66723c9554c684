package dev.fencing.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.Endpoints;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.RegisteredGeneration;
import dev.fencing.transaction.Registration;

/**
 * What an endpoint asks, with answers that tests choose, also such that no real server
 * gives at will.
 */
final class OperatorFixture implements LeaseProvider {

	/**
	 * Greater than 2^53, as tokens are from generations of the clock floor on.
	 */
	static final long GENERATION = 1_790_000_000_123L;

	static final long TOKEN = GENERATION * 1_000_000 + 7;

	static final DurabilityFinding FINDING = new DurabilityFinding("appendonly", "no", "A crash loses leases.",
			"Set appendonly to yes.");

	final HeldLeases leases = new HeldLeases();

	final RejectionLog rejections = new RejectionLog(10);

	@Nullable LeaseState state;

	@Nullable RegisteredGeneration registered;

	DurabilityReport durability = DurabilityReport.NONE;

	@Nullable RuntimeException providerFailure;

	@Nullable RuntimeException registryFailure;

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, null);

	private final LeaseAcquirer acquirer = new LeaseAcquirer(this, new LeaseRenewer(this, this.settings), this.settings,
			this.leases);

	FencingEndpoint endpoint(boolean registration) {
		return new FencingEndpoint(Endpoints.sources(this, "host-1", this.leases, this.acquirer, this.rejections,
				registration ? new Registry() : null));
	}

	FencingEndpoint endpoint(KeyMask mask) {
		return endpoint(this.rejections, mask);
	}

	FencingEndpoint endpoint(RejectionHistory history) {
		return endpoint(history, KeyMask.NONE);
	}

	private FencingEndpoint endpoint(RejectionHistory history, KeyMask mask) {
		FencingSources plain = Endpoints.sources(this, "host-1", this.leases, this.acquirer, this.rejections,
				new Registry());
		return new FencingEndpoint(new FencingSources("host-1", this, this.leases, this.acquirer, plain.totals(),
				this.rejections, history, null, plain.registry(), plain.locks(), mask));
	}

	LeaseHold acquire(String lock, Object key) {
		return this.acquirer.acquire(LockRequest.of(lock).key(key), Duration.ZERO);
	}

	void end(LeaseHold hold) {
		this.acquirer.end(hold, false);
	}

	void reject(String resource, long rejectedToken, @Nullable Long acceptedToken) {
		this.rejections.rejected(new Rejection(Instant.parse("2026-01-31T12:00:00.123456Z"), "document", resource,
				rejectedToken, acceptedToken, Guard.TRANSACTION, Reason.STALE, "a1", "host-1"));
	}

	@Override
	public String name() {
		return "fixture";
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		return new LeaseAttempt.Granted(new Lease(request.resources(), request.nonce(), GENERATION));
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		return CompletableFuture.failedFuture(new LeaseProviderException("Not in this fixture"));
	}

	@Override
	public boolean release(Lease lease, Duration blockedFor) {
		throw new UnsupportedOperationException();
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		throw new UnsupportedOperationException();
	}

	@Override
	public DurabilityReport durability(Duration longestWait) {
		if (this.providerFailure != null) {
			throw this.providerFailure;
		}
		return this.durability;
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		if (this.providerFailure != null) {
			throw this.providerFailure;
		}
		return (this.state != null && this.state.lease().resources().contains(resource)) ? this.state : null;
	}

	private final class Registry implements GenerationRegistry {

		@Override
		public boolean isUnlocked(String resource) {
			return true;
		}

		@Override
		public Registration register(String resource, long token, String owner) {
			throw new UnsupportedOperationException();
		}

		@Override
		public @Nullable RegisteredGeneration find(String resource) {
			if (OperatorFixture.this.registryFailure != null) {
				throw OperatorFixture.this.registryFailure;
			}
			return OperatorFixture.this.registered;
		}

	}

}
