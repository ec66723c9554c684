package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * Another owner kept the lease until the wait time was over, or the registration timed
 * out. The locked code did not run.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class LeaseUnavailableException extends FencingException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public LeaseUnavailableException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public LeaseUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
