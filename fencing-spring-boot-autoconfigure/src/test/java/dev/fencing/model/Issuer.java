package dev.fencing.model;

/**
 * How far Redis can be trusted.
 */
enum Issuer {

	/** It loses leases, and forgets no number. */
	HONEST,

	/**
	 * Its counter also falls back to any smaller number, with the lease or without it.
	 */
	RESETTING,

	/** It grants everybody at once, and gives out any number at any time. */
	LYING

}
