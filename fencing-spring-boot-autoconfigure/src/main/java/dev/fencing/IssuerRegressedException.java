package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * The lease provider gave out a number that is not greater than what the database has
 * accepted, and its counter could not be raised. The locked code did not run.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class IssuerRegressedException extends FencingException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public IssuerRegressedException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public IssuerRegressedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
