package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * The lease provider (Redis) failed or did not answer in time. The locked code did not
 * run and nothing was committed.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LeaseProviderException extends FencingException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public LeaseProviderException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public LeaseProviderException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
