package dev.fencing;

import java.time.Duration;

/**
 * Told of what happens to leases and of what was refused. All beans of this type are
 * called, on the thread where it happens; an exception is logged and goes no further, so
 * no listener can keep a lease from being released. That may be in the midst of a
 * transaction that is refused: no transaction on the fenced database is opened there, and
 * nothing is waited for.
 *
 * @since 0.1.0
 */
public interface FencingListener {

	/**
	 * An application may lock under this name: a method with the annotation was found, or
	 * a lock was taken for the first time.
	 * @param lock the lock name
	 */
	default void lockKnown(String lock) {
	}

	/**
	 * An attempt to take a lease is over.
	 * @param lock the lock name
	 * @param outcome how it ended
	 * @param waited how long it took
	 */
	default void acquisitionEnded(String lock, AcquisitionOutcome outcome, Duration waited) {
	}

	/**
	 * A lease was taken and registered, the locked code runs next.
	 * @param context the acquisition
	 */
	default void leaseAcquired(FencingContext context) {
	}

	/**
	 * A lease was renewed.
	 * @param context the acquisition
	 * @param slack what was left of the lease just before, from 0 to 1 of the lease time
	 */
	default void leaseRenewed(FencingContext context, double slack) {
	}

	/**
	 * An attempt to renew a lease failed; it is tried again while the lease lasts.
	 * @param context the acquisition
	 * @param failure why
	 */
	default void renewalFailed(FencingContext context, Throwable failure) {
	}

	/**
	 * A lease was lost while the locked code was running: told once for each acquisition.
	 * @param context the acquisition
	 */
	default void leaseLost(FencingContext context) {
	}

	/**
	 * The locked code has returned or thrown, and the lease was given up.
	 * @param context the acquisition
	 * @param held how long it was held
	 */
	default void leaseEnded(FencingContext context, Duration held) {
	}

	/**
	 * Something was refused.
	 * @param rejection what, by which guard, and why
	 */
	default void rejected(Rejection rejection) {
	}

	/**
	 * The lease provider gave out a number that is not greater than what the database has
	 * accepted. Told besides {@link #rejected}, with the same rejection.
	 * @param rejection the registration that was refused
	 */
	default void issuerRegressed(Rejection rejection) {
	}

}
