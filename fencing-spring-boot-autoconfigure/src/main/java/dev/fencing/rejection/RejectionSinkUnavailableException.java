package dev.fencing.rejection;

/**
 * Nothing can be stored now, whatever it is.
 *
 * @since 0.1.0
 */
public class RejectionSinkUnavailableException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message why
	 * @param cause what failed
	 */
	public RejectionSinkUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

}
