package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * A statement, or the transaction in which it would run, cannot be guarded. The message
 * says where, why, and what to do instead. Thrown before anything is sent to the
 * database, but for a row that turns out to have no token at all: its statement has
 * written nothing to that row, and the transaction is to be rolled back.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class UnguardableStatementException extends FencingException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public UnguardableStatementException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public UnguardableStatementException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
