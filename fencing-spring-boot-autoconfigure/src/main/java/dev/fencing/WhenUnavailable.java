package dev.fencing;

/**
 * What a locked method does when another owner keeps the lease until the wait time is
 * over. It never decides about a failure of the lease provider: that is always thrown.
 *
 * @since 0.1.0
 */
public enum WhenUnavailable {

	/**
	 * Throw a {@link LeaseUnavailableException}.
	 */
	THROW,

	/**
	 * Return without running the method: for methods that return nothing or an
	 * {@code Optional}, which is then empty.
	 */
	SKIP

}
