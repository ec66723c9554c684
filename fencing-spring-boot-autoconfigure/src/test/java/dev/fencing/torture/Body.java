package dev.fencing.torture;

import dev.fencing.FencingContext;

/**
 * What an operation does inside its transaction.
 */
interface Body {

	void run(Operation operation, FencingContext context, Stops stops);

	/**
	 * Something that is not the library has refused a stale owner.
	 */
	@SuppressWarnings("serial")
	final class RefusedException extends RuntimeException {

	}

}
