package dev.fencing.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.fencing.LeaseProviderException;

/**
 * Gives out leases and numbers them. Nothing that the database guarantees depends on it:
 * a provider that lies costs time, never an update. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface LeaseProvider {

	/**
	 * Return the name of the kind of provider.
	 * @return a word like {@code redis}; never null
	 */
	String name();

	/**
	 * Make one attempt to take a lease on all the resources of a request, or on none of
	 * them, without waiting for a holder. The same request (same nonce) may be sent again
	 * after a lost reply and then gives the same generation.
	 * @param request what to take; never null
	 * @return the lease, or how long its holder may keep it; never null
	 * @throws LeaseProviderException if the outcome is not known. The implementation has
	 * then seen to it that a lease which may have been granted all the same is given back
	 * or runs out
	 */
	LeaseAttempt acquire(LeaseRequest request);

	/**
	 * Let leases last for the given times from now on. Never revives a lease that has run
	 * out, never touches another acquisition's. Returns at once, and sends as few
	 * requests as can be.
	 * @param extensions the leases, at most some hundreds, all of one
	 * {@linkplain #partition partition}; never null
	 * @return a stage that ends with one answer for each of them, in their order, or
	 * fails with a {@link LeaseProviderException}; never null
	 */
	CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions);

	/**
	 * Give a lease back, if it is still this acquisition's (whichever generation it has).
	 * @param lease the lease; never null
	 * @param blockedFor for how long nobody gets it all the same; zero to have it free at
	 * once
	 * @return whether it was, with all its resources
	 * @throws LeaseProviderException if the outcome is not known: the lease then runs out
	 */
	boolean release(Lease lease, Duration blockedFor);

	/**
	 * Give a lease back and have it free at once, if it is still this acquisition's.
	 * @param lease the lease; never null
	 * @return whether it was, with all its resources
	 * @throws LeaseProviderException if the outcome is not known: the lease then runs out
	 */
	default boolean release(Lease lease) {
		return release(lease, Duration.ZERO);
	}

	/**
	 * Give a lease a new generation, greater than the given one and than all that were
	 * given out, if all of it is still this acquisition's: compared and done in one step.
	 * @param lease the lease; never null
	 * @param aboveGeneration the generation that the database has already accepted
	 * @return the lease with its new generation, or null if it is not this acquisition's
	 * any more
	 * @throws LeaseProviderException if the outcome is not known
	 */
	@Nullable Lease heal(Lease lease, long aboveGeneration);

	/**
	 * Raise the counter, so that later acquisitions get generations greater than the
	 * given one. Leases stay as they are.
	 * @param resource the resource whose counter is meant; never null
	 * @param aboveGeneration the generation to exceed
	 * @throws LeaseProviderException if the outcome is not known
	 */
	void raise(String resource, long aboveGeneration);

	/**
	 * Tell who holds a lease now, for operators.
	 * @param resource the resource; never null
	 * @return the lease, or null if nobody holds it
	 * @throws LeaseProviderException if it cannot be told
	 */
	@Nullable LeaseState find(String resource);

	/**
	 * Begin to watch a resource that another acquisition has. Returns at once. A provider
	 * that has no messages need not implement it: whoever waits then asks more often.
	 * @param resource the resource; never null
	 * @param mayBeFree run when the resource was given back by a holder that knew of a
	 * {@linkplain LeaseRequest#watched() watched} attempt, when messages may have been
	 * missed, and now and then in vain. It does not block
	 * @return ends the watch; never null
	 */
	default ReleaseWatch watch(String resource, Runnable mayBeFree) {
		return ReleaseWatch.NONE;
	}

	/**
	 * Let go of what is needed only while somebody waits, before the connection closes.
	 * Whoever waits later gets it again. Blocks for a moment at most.
	 */
	default void rest() {
	}

	/**
	 * Tell which resources are numbered by the same counter, and are renewed together. A
	 * provider with one counter need not implement it.
	 * @param resource the resource; never null
	 * @return the same number for all of them
	 */
	default int partition(String resource) {
		return 0;
	}

	/**
	 * Tell with which settings a server may lose leases or their counter. A provider that
	 * has nothing to tell need not implement it. Throws nothing.
	 * @param longestWait how long the answer may take; never null
	 * @return what is known by then; never null
	 */
	default DurabilityReport durability(Duration longestWait) {
		return DurabilityReport.NONE;
	}

}
