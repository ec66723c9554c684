package dev.fencing;

import java.io.Serializable;
import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Something that was refused because it came from an owner that is not the registered
 * one.
 *
 * @param at when it was refused
 * @param lock the lock name
 * @param resource the resource
 * @param rejectedToken the fencing token that was refused
 * @param acceptedToken the token that is registered, or that the row carries; null if
 * there is none
 * @param guard what refused
 * @param reason why
 * @param owner the acquisition that was refused
 * @param instance the instance of the application that was refused
 * @since 0.1.0
 */
public record Rejection(Instant at, String lock, String resource, long rejectedToken, @Nullable Long acceptedToken,
		Guard guard, Reason reason, String owner, String instance) implements Serializable {

	/**
	 * What refused.
	 */
	public enum Guard {

		/**
		 * The registration of a new owner, before its first read.
		 */
		REGISTRATION,

		/**
		 * The check at the end of a transaction.
		 */
		TRANSACTION,

		/**
		 * {@code fencing_token < ?} on the row itself.
		 */
		ROW,

		/**
		 * The application's own question, {@link FencingContext#assertCurrent()}.
		 */
		LEASE;

		/**
		 * Return the value of the meters' tag {@code guard}.
		 * @return the name in lower case
		 */
		public String tag() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Why it was refused.
	 */
	public enum Reason {

		/**
		 * A later owner has registered.
		 */
		STALE,

		/**
		 * The refused one is still the registered owner, or the registry does not know
		 * it: the row carries another lease's stamp, or the registry was restored or
		 * truncated.
		 */
		FOREIGN,

		/**
		 * The lease provider gave out a number that is not greater than what the database
		 * has accepted.
		 */
		REGRESSED;

		/**
		 * Return the value of the meters' tag {@code reason}.
		 * @return the name in lower case
		 */
		public String tag() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
