package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * The database refused an owner: a later one has registered, or the registry does not
 * know this one. The transaction is rolled back, nothing of it is in the database. Run
 * the whole locked method again if the work is still wanted: that takes a new lease and a
 * greater token.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class StaleGenerationException extends FencingException {

	private final Rejection rejection;

	/**
	 * Create an exception for a rejection.
	 * @param rejection what was refused; never null
	 * @param cause the cause; may be null
	 */
	public StaleGenerationException(Rejection rejection, @Nullable Throwable cause) {
		super(messageFor(rejection), cause);
		this.rejection = rejection;
	}

	private static String messageFor(Rejection rejection) {
		Long accepted = rejection.acceptedToken();
		return "Refused on '%s': token %s of owner %s (%s), %s; guard: %s, reason: %s".formatted(rejection.resource(),
				FencingTokens.format(rejection.rejectedToken()), rejection.owner(), rejection.instance(),
				(accepted != null) ? "accepted is " + FencingTokens.format(accepted) : "none is accepted",
				rejection.guard().tag(), rejection.reason().tag());
	}

	/**
	 * Return the resource.
	 * @return the resource; never null
	 */
	public String getResource() {
		return this.rejection.resource();
	}

	/**
	 * Return the token that was refused.
	 * @return the token
	 */
	public long getRejectedToken() {
		return this.rejection.rejectedToken();
	}

	/**
	 * Return the token that is registered, or that the row carries.
	 * @return the token, or null if there is none
	 */
	public @Nullable Long getAcceptedToken() {
		return this.rejection.acceptedToken();
	}

	/**
	 * Return what refused.
	 * @return the guard; never null
	 */
	public Rejection.Guard getGuard() {
		return this.rejection.guard();
	}

	/**
	 * Return why it was refused.
	 * @return the reason; never null
	 */
	public Rejection.Reason getReason() {
		return this.rejection.reason();
	}

}
