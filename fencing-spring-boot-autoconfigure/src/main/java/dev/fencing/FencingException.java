package dev.fencing;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;

/**
 * Base of all exceptions of this library. It is a {@link ConcurrencyFailureException}, so
 * that what applications already do about those (retry from outside the lock, answer with
 * a conflict) applies.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class FencingException extends ConcurrencyFailureException {

	/**
	 * Create an exception.
	 * @param message what happened and what to do
	 */
	public FencingException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what happened and what to do
	 * @param cause the cause; may be null
	 */
	public FencingException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
