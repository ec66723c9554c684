package dev.fencing.sample.race;

/**
 * Told by a worker where it is, on the worker's thread; returns when the worker may go
 * on.
 */
interface RaceSteps {

	/**
	 * The worker is about to ask for its lease.
	 */
	void asking();

	/**
	 * The worker has its lease, and has not said so yet.
	 */
	void acquired(RaceLease lease);

	/**
	 * The worker has come to a point at which a worker may pause, inside its transaction.
	 */
	void reached(PausePoint point);

	/**
	 * The worker's write has returned.
	 */
	void written();

	/**
	 * The worker is about to give back its lease, which is still its own.
	 */
	void releasing();

}
