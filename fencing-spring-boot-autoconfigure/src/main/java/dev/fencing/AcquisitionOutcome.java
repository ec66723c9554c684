package dev.fencing;

/**
 * How an attempt to take a lease ended.
 *
 * @since 0.1.0
 */
public enum AcquisitionOutcome {

	/**
	 * The lease was taken.
	 */
	ACQUIRED,

	/**
	 * Another owner kept it until the wait time was over: an exception.
	 */
	UNAVAILABLE,

	/**
	 * Another owner kept it until the wait time was over: the code was skipped.
	 */
	SKIPPED,

	/**
	 * The lease provider, the registration or the waiting thread failed.
	 */
	FAILED

}
