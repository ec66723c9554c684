package dev.fencing.torture;

import dev.fencing.FencingContext;

/**
 * What an operation does inside its transaction.
 */
interface Body {

	/**
	 * Do it.
	 * @param operation what
	 * @param part which of its transactions this is, from 0
	 * @param context its lease
	 * @param stops told where it has come to
	 */
	void run(Operation operation, int part, FencingContext context, Stops stops);

	/**
	 * Something that is not the library has refused a stale owner.
	 */
	@SuppressWarnings("serial")
	final class RefusedException extends RuntimeException {

	}

}
