package dev.fencing.torture;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.testsupport.DelegatingLeaseProvider;

/**
 * A provider that stops where an owner has a lease and has not registered, and that can
 * be made to send an acquisition twice, as after a lost reply.
 */
final class SteppedLeases extends DelegatingLeaseProvider {

	private final LeaseProvider delegate;

	private final Stops stops;

	private final List<String> owners = new ArrayList<>();

	private volatile boolean resend;

	SteppedLeases(LeaseProvider delegate, Stops stops) {
		super(delegate);
		this.delegate = delegate;
		this.stops = stops;
	}

	/**
	 * Send the next acquisition twice.
	 */
	void resendNext() {
		this.resend = true;
	}

	/**
	 * Take back what was not sent twice up to now.
	 */
	void forget() {
		this.resend = false;
	}

	/**
	 * Return the nonces of the leases since the last call, on the thread that has taken
	 * them.
	 */
	List<String> takeOwners() {
		List<String> taken = List.copyOf(this.owners);
		this.owners.clear();
		return taken;
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		LeaseAttempt attempt = this.delegate.acquire(request);
		if (attempt instanceof LeaseAttempt.Granted) {
			this.owners.add(request.nonce());
			this.stops.at(Stop.GRANTED);
			if (this.resend) {
				this.resend = false;
				return this.delegate.acquire(request);
			}
		}
		return attempt;
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		this.stops.at(Stop.REFUSED_AT_REGISTRATION);
		Lease healed = this.delegate.heal(lease, aboveGeneration);
		if (healed != null) {
			this.stops.at(Stop.HEALED);
		}
		return healed;
	}

}
