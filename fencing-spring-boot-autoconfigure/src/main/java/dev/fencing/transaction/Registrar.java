package dev.fencing.transaction;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencingTokens;
import dev.fencing.IssuerRegressedException;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseProvider;

/**
 * Registers a new owner before its first read. If the registry refuses a lease that the
 * provider still calls this owner's, the provider's counter has fallen back: then, and
 * only here, the lease gets a new generation above the registered one.
 */
final class Registrar {

	/**
	 * Every attempt is lost only to another owner that registered in between.
	 */
	private static final int MAX_ATTEMPTS = 5;

	/**
	 * The greatest generation that a provider's counter is raised above. The numbers
	 * beyond are kept for acquisitions: a mark that somebody has set absurdly high must
	 * not use up those of all resources that share the counter. They last for 31 years at
	 * a thousand acquisitions a second.
	 */
	static final long GREATEST_MARK = FencingTokens.MAX_GENERATION - 1_000_000_000_000L;

	private final LeaseProvider provider;

	private final GenerationRegistry registry;

	Registrar(LeaseProvider provider, GenerationRegistry registry) {
		this.provider = provider;
		this.registry = registry;
	}

	/**
	 * Register an owner, for one resource after the other. When its lease gets a new
	 * generation, this begins again: all of them are to have the same one.
	 * @param acquisition the owner
	 * @param hold its lease
	 * @throws StaleGenerationException if the lease is not this owner's any more
	 * @throws IssuerRegressedException if the provider's counter could not be raised
	 */
	void register(Acquisition acquisition, LeaseHold hold) {
		for (int attempt = 1;; attempt++) {
			Refusal refusal = register(hold.lease());
			if (refusal == null) {
				return;
			}
			hold.heal(heal(acquisition, hold.lease(), refusal, attempt < MAX_ATTEMPTS));
		}
	}

	private @Nullable Refusal register(Lease lease) {
		for (String resource : lease.resources()) {
			Registration answer = this.registry.register(resource, FencingTokens.of(lease.generation(), 0),
					lease.nonce());
			if (answer instanceof Registration.Refused refused) {
				return new Refusal(resource, refused.current());
			}
		}
		return null;
	}

	private Lease heal(Acquisition acquisition, Lease lease, Refusal refusal, boolean attemptsLeft) {
		RegisteredGeneration current = refusal.current();
		long registered = FencingTokens.generation(current.token());
		boolean healable = attemptsLeft && registered <= GREATEST_MARK;
		Lease healed = healable ? this.provider.heal(lease, registered) : null;
		if (healable && healed == null) {
			throw passedOn(acquisition, lease, refusal);
		}
		acquisition.regressed(refusal.resource(), current);
		if (healed == null) {
			throw new IssuerRegressedException("""
					The %s lease provider gave generation %d for '%s', but %d is registered in the database, and \
					the counter could not be raised above it. If the registered token is wrong, correct \
					fencing_token in the row of the generation registry; else set the provider's counter above it"""
				.formatted(this.provider.name(), lease.generation(), refusal.resource(), registered));
		}
		return healed;
	}

	/**
	 * Tell why an owner is refused whose lease is not its own any more.
	 */
	private StaleGenerationException passedOn(Acquisition acquisition, Lease lease, Refusal refusal) {
		RegisteredGeneration current = refusal.current();
		if (FencingTokens.generation(current.token()) == lease.generation()) {
			RegisteredGeneration latest = this.registry.find(refusal.resource());
			if (latest == null || FencingTokens.generation(latest.token()) == lease.generation()) {
				// Nobody came later: another owner got the very same number
				return new StaleGenerationException(acquisition.regressed(refusal.resource(), current), null);
			}
			current = latest;
		}
		return acquisition.reject(Rejection.Guard.REGISTRATION, Rejection.Reason.STALE, refusal.resource(),
				current.token(), null);
	}

	private record Refusal(String resource, RegisteredGeneration current) {
	}

}
