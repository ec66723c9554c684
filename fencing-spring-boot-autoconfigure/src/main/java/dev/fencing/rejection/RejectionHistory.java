package dev.fencing.rejection;

import org.jspecify.annotations.Nullable;

/**
 * Where rejections are kept for operators: in the memory of this instance, or in a table
 * that all instances share. Thread-safe.
 *
 * @since 0.1.0
 */
public interface RejectionHistory {

	/**
	 * Return the name of the kind of history.
	 * @return a word like {@code memory}; never null
	 */
	String name();

	/**
	 * Read a page of what is kept, the newest first.
	 * @param resource only those of this resource; null for all
	 * @param before only those that are older than the one at this position, as in
	 * {@link RejectionPage#next()}; null to begin with the newest
	 * @param size how many at most; positive
	 * @return the page; never null, may be empty
	 * @throws RuntimeException if it cannot be read
	 */
	RejectionPage page(@Nullable String resource, @Nullable Long before, int size);

}
