package dev.fencing;

import java.util.Optional;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lease, as {@link FencedLock @FencedLock} does for a method.
 *
 * <pre class="code">
 * String title = template.execute(LockRequest.of("document").key(42), (context) -&gt; rename(42));
 * </pre>
 *
 * <p>
 * Transactions that the code opens and completes on the fenced database are guarded. To
 * open a lease inside a transaction is refused, since the lease would end before the
 * commit.
 *
 * @since 0.1.0
 */
public interface FencedLockTemplate {

	/**
	 * Take the lease, run the code, release the lease.
	 * @param request what to lock and for how long; never null
	 * @param callback the code to run; never null
	 * @param <T> what the code returns
	 * @param <E> what the code throws besides unchecked exceptions
	 * @return what the code returned
	 * @throws E what the code threw
	 * @throws LeaseUnavailableException if another owner kept the lease until the wait
	 * time was over: the code did not run
	 * @throws LeaseProviderException if the lease provider failed: the code did not run
	 * @throws LockInsideTransactionException if a transaction is active already: the code
	 * did not run
	 * @throws StaleGenerationException if a later owner has registered in the database
	 */
	<T extends @Nullable Object, E extends Throwable> T execute(LockRequest request, FencedCallback<T, E> callback)
			throws E;

	/**
	 * Like {@link #execute}, but return an empty result when another owner keeps the
	 * lease until the wait time is over. The wait time is zero unless the request sets
	 * it.
	 * @param request what to lock and for how long; never null
	 * @param callback the code to run, which must not return null; never null
	 * @param <T> what the code returns
	 * @param <E> what the code throws besides unchecked exceptions
	 * @return what the code returned, or empty if it did not run
	 * @throws E what the code threw
	 */
	<T, E extends Throwable> Optional<T> tryExecute(LockRequest request, FencedCallback<T, E> callback) throws E;

	/**
	 * Take a lease that stays until it is closed. Waits as {@link #tryExecute} does.
	 * @param request what to lock and for how long; never null
	 * @return the lease, bound to the current thread, or empty when another owner keeps
	 * it until the wait time is over; never null
	 * @throws LeaseProviderException if the lease provider failed
	 * @throws LockInsideTransactionException if a transaction is active already
	 */
	Optional<FencedLease> open(LockRequest request);

	/**
	 * {@link #execute} for code without a result.
	 * @param request what to lock and for how long; never null
	 * @param action the code to run; never null
	 */
	default void executeWithoutResult(LockRequest request, Consumer<FencingContext> action) {
		this.<Boolean, RuntimeException>execute(request, (context) -> {
			action.accept(context);
			return Boolean.TRUE;
		});
	}

	/**
	 * {@link #tryExecute} for code without a result.
	 * @param request what to lock and for how long; never null
	 * @param action the code to run; never null
	 * @return whether the code ran
	 */
	default boolean tryExecuteWithoutResult(LockRequest request, Consumer<FencingContext> action) {
		return this.<Boolean, RuntimeException>tryExecute(request, (context) -> {
			action.accept(context);
			return Boolean.TRUE;
		}).isPresent();
	}

}
