package dev.fencing;

import java.time.Duration;

/**
 * A lease that stays open until it is closed, for code that is told of begin and end by
 * two calls, as a lock is. Where the work is one piece of code,
 * {@link FencedLockTemplate#execute} cannot forget to give the lease back.
 *
 * <p>
 * From its opening to its end, the lease is bound to the thread that opened it, and the
 * transactions of that thread on the fenced database are guarded. So it is closed on that
 * thread, and after the last commit: a transaction that is still open then keeps the
 * lease until it is completed.
 *
 * <p>
 * Nothing tells it what the code between the two calls has thrown. So where the database
 * refuses a stale owner by an error of its own, as PostgreSQL does above READ COMMITTED,
 * that error comes out as it is; it is counted as a rejection when the lease is closed.
 *
 * <pre class="code">
 * Optional&lt;FencedLease&gt; lease = template.open(LockRequest.of("report"));
 * if (lease.isPresent()) {
 *     try (FencedLease open = lease.get()) {
 *         writeReport();
 *     }
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public interface FencedLease extends AutoCloseable {

	/**
	 * Return the acquisition.
	 * @return the acquisition; never null
	 */
	FencingContext context();

	/**
	 * Let the lease last for a time from now on, and not be renewed after that. May be
	 * called on any thread, as often as needed. One that was opened inside a lease of its
	 * own thread extends that one, and keeps it open.
	 * @param leaseTime how long it is to last, at least
	 * {@value LockRequest#MIN_LEASE_MILLIS} milliseconds; never null
	 * @param minHold for how long from now on nobody else gets it, also when it is closed
	 * sooner; not longer than the lease time; never null
	 * @return whether it was still this acquisition's, and lasts
	 * @throws LeaseProviderException if that is not known. The lease may have been
	 * extended all the same
	 * @throws IllegalStateException if the lease is closed
	 */
	boolean extend(Duration leaseTime, Duration minHold);

	/**
	 * Give the lease back. Does nothing if it is closed already, and never fails because
	 * the lease is over.
	 * @throws IllegalStateException on another thread than the one that opened it: the
	 * transactions of that one are guarded
	 */
	@Override
	void close();

}
