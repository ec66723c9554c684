package dev.fencing.lease;

import java.time.Duration;

/**
 * A lease as the provider sees it.
 *
 * @param lease the lease
 * @param remaining how long it lasts unless it is renewed
 * @since 0.1.0
 */
public record LeaseState(Lease lease, Duration remaining) {

	/**
	 * What a provider adds to the id of an acquisition that has given its lease back and
	 * only keeps others away: so no late renewal finds the lease.
	 */
	public static final String RELEASED = "/released";

	/**
	 * Return whether the lease was given back and only keeps others away.
	 * @return whether nothing runs under it any more
	 */
	public boolean isReleased() {
		return this.lease.nonce().endsWith(RELEASED);
	}

	/**
	 * Return the id of the acquisition that holds the lease, or held it last.
	 * @return the nonce, as it was given by the acquisition; never null
	 */
	public String owner() {
		String nonce = this.lease.nonce();
		return isReleased() ? nonce.substring(0, nonce.length() - RELEASED.length()) : nonce;
	}

}
