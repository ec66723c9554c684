package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * A new lease was asked for inside an active transaction. The lease would be released
 * before the transaction commits, what the transaction has read may be older than the
 * lease, and a wait for a lease by a holder of row locks is a deadlock that neither side
 * sees.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LockInsideTransactionException extends FencingException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public LockInsideTransactionException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public LockInsideTransactionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
