package dev.fencing.lease;

/**
 * What became of an attempt to renew a lease.
 *
 * @since 0.1.0
 */
public sealed interface RenewalAnswer {

	/**
	 * The lease was still this acquisition's, and lasts longer now.
	 */
	record Renewed() implements RenewalAnswer {
	}

	/**
	 * The lease, or a part of it, has run out or was removed. Nobody is known to have it.
	 */
	record Gone() implements RenewalAnswer {
	}

	/**
	 * Another acquisition has the lease, or a part of it.
	 *
	 * @param generation the number of that acquisition
	 */
	record Taken(long generation) implements RenewalAnswer {
	}

}
