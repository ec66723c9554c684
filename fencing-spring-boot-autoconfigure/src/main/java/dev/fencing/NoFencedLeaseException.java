package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * A fenced operation was called outside a lease, or could not tell which of several
 * leases it belongs to. Nothing was sent to the database.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class NoFencedLeaseException extends FencingException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public NoFencedLeaseException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public NoFencedLeaseException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
