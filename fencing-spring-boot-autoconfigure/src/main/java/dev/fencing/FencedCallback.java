package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * Code that runs under a lease.
 *
 * @param <T> what it returns
 * @param <E> what it throws besides unchecked exceptions
 * @since 0.1.0
 * @see FencedLockTemplate
 */
@FunctionalInterface
public interface FencedCallback<T extends @Nullable Object, E extends Throwable> {

	/**
	 * Do the work.
	 * @param context the acquisition under which the code runs; never null, valid until
	 * the method returns
	 * @return the result; may be null where {@code T} allows it
	 * @throws E what the work throws: it reaches the caller untouched
	 */
	T execute(FencingContext context) throws E;

}
