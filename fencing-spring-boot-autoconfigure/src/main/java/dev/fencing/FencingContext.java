package dev.fencing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The acquisition under which the current code runs. It is bound to the thread that took
 * the lease, until the locked method has returned.
 *
 * @since 0.1.0
 */
public interface FencingContext {

	/**
	 * Return the name of the lock.
	 * @return the name; never null
	 */
	String name();

	/**
	 * Return what is leased and fenced.
	 * @return {@code name}, or {@code name:key}: the first one of an acquisition of
	 * several; never null
	 */
	String resource();

	/**
	 * Return all that is leased and fenced by this acquisition.
	 * @return the resources in the order in which they were taken; never empty
	 */
	default List<String> resources() {
		return List.of(resource());
	}

	/**
	 * Return the number of this acquisition. It grows with every handover.
	 * @return the generation
	 */
	long generation();

	/**
	 * Draw the next fencing token of this acquisition, to be sent along with one write.
	 * Nothing is asked of Redis or of the database.
	 * @return a token greater than all that were drawn before
	 * @throws FencingException if the {@value FencingTokens#PER_GENERATION} tokens of the
	 * acquisition are used up: work in portions, each under a lease of its own
	 */
	long nextToken();

	/**
	 * Return how long the lease lasts unless it is renewed, by this process' own
	 * monotonic clock.
	 * @return the time left; zero when it is over, never negative
	 */
	Duration remaining();

	/**
	 * Return whether the lease is known to be lost: it ran out, or the provider said that
	 * it is another owner's. A lease that is not known to be lost may be lost all the
	 * same: only the database can tell.
	 * @return whether the lease is lost
	 */
	boolean isLost();

	/**
	 * Ask the database, in a short transaction of its own, whether this acquisition is
	 * still the registered one.
	 * @throws StaleGenerationException if it is not
	 * @throws FencingException if registration is switched off, so that nobody can tell,
	 * or inside a read-only transaction, where a replica might answer
	 */
	void assertCurrent();

	/**
	 * Return the acquisition that was bound last.
	 * @return the current acquisition, or empty outside any lease; never null
	 */
	static Optional<FencingContext> current() {
		return Optional.ofNullable(FencingContextHolder.current());
	}

	/**
	 * Return the acquisition that was bound last.
	 * @return the current acquisition; never null
	 * @throws NoFencedLeaseException outside any lease
	 */
	static FencingContext require() {
		return current().orElseThrow(() -> new NoFencedLeaseException("No fenced lease is bound to this thread"));
	}

	/**
	 * Return the acquisition of a certain resource.
	 * @param name the lock name
	 * @param key the key; null for a lock without a key
	 * @return the acquisition; never null
	 * @throws NoFencedLeaseException if the current thread has no lease on the resource
	 */
	static FencingContext require(String name, @Nullable Object key) {
		LockRequest request = (key != null) ? LockRequest.of(name).key(key) : LockRequest.of(name);
		FencingContext context = FencingContextHolder.find(request.resource());
		if (context == null) {
			throw new NoFencedLeaseException(
					"No fenced lease on '%s' is bound to this thread".formatted(request.resource()));
		}
		return context;
	}

}
