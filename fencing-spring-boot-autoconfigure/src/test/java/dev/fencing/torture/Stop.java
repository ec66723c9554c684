package dev.fencing.torture;

/**
 * Where an owner stops until it is told to go on, in the order of the protocol.
 */
enum Stop {

	/**
	 * The lease provider has granted the lease, nothing is registered.
	 */
	GRANTED,

	/**
	 * The registration was refused, and the lease is about to get a new generation.
	 */
	REFUSED_AT_REGISTRATION,

	/**
	 * The lease has its new generation, which is not registered.
	 */
	HEALED,

	REGISTERED,

	BEGUN,

	READ,

	WRITTEN,

	/**
	 * The guard has passed and the row of the registry is locked: the commit comes next.
	 */
	GUARDED,

	/**
	 * The transaction is committed and the lease is held.
	 */
	COMMITTED;

	/**
	 * Return whether an owner that stops here has read, or is about to, and has not
	 * committed: another one that takes over makes it stale.
	 */
	boolean isAtWork() {
		return compareTo(REGISTERED) >= 0 && compareTo(GUARDED) <= 0;
	}

}
