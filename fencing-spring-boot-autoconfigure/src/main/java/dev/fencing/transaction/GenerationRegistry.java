package dev.fencing.transaction;

import org.jspecify.annotations.Nullable;

import dev.fencing.LeaseUnavailableException;

/**
 * The generation registry: for each resource the greatest token accepted and its owner,
 * in the database that is to be protected.
 *
 * @since 0.1.0
 */
public interface GenerationRegistry {

	/**
	 * Announce a new owner, in a short transaction of its own that is committed when this
	 * method returns. Accepted is a token that is strictly greater than the registered
	 * one, or the very same registration asked for again.
	 * @param resource the resource; never null
	 * @param token the token that registers, with sequence 0
	 * @param owner the random id of the acquisition; never null
	 * @return the answer; never null
	 * @throws LeaseUnavailableException if the registry's row stayed locked for longer
	 * than the registration timeout
	 * @throws org.springframework.dao.DataAccessException if the database failed
	 */
	Registration register(String resource, long token, String owner);

	/**
	 * Read what is registered, in a short transaction of its own.
	 * @param resource the resource; never null
	 * @return what is registered, or null if the resource was never registered
	 * @throws org.springframework.dao.DataAccessException if the database failed
	 */
	@Nullable RegisteredGeneration find(String resource);

	/**
	 * Return whether no transaction holds the lock of a resource's row, waiting for it as
	 * long as a registration would: an earlier guarded commit is over then.
	 * @param resource the resource; never null
	 * @return whether the row could be locked
	 * @throws org.springframework.dao.DataAccessException if the database failed
	 */
	boolean isUnlocked(String resource);

}
