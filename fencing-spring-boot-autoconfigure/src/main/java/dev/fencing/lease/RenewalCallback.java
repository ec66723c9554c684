package dev.fencing.lease;

/**
 * Told what became of the renewals of one lease, on the renewal thread or on the
 * provider's: it must not block.
 *
 * @since 0.1.0
 */
public interface RenewalCallback {

	/**
	 * The lease was renewed.
	 * @param slack what was left of the lease just before, from 0 to 1 of the lease time
	 */
	void renewed(double slack);

	/**
	 * A renewal failed. It is tried again while the lease lasts.
	 * @param failure why
	 */
	void renewalFailed(Throwable failure);

	/**
	 * The lease is lost. Called at most once.
	 */
	void lost();

}
