package dev.fencing.torture;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who runs operations, step by step.
 */
interface Worker extends AutoCloseable {

	/**
	 * Begin an operation. The worker is busy from then on.
	 */
	void begin(Operation operation);

	/**
	 * Let the worker go on from where it has stopped.
	 */
	void goOn();

	/**
	 * Return what the worker is doing.
	 * @throws IllegalStateException if it has failed by itself
	 */
	State state();

	/**
	 * Return where the worker has stopped.
	 */
	@Nullable Stop stop();

	/**
	 * Return the operation that the worker has begun, or null if it has none.
	 */
	@Nullable Operation operation();

	/**
	 * Take the outcome of an operation that has ended; the worker is idle from then on.
	 */
	Outcome takeOutcome();

	/**
	 * What a worker is doing.
	 */
	enum State {

		IDLE, RUNNING, STOPPED, ENDED

	}

}
