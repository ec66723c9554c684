package dev.fencing;

import org.jspecify.annotations.Nullable;

/**
 * Follows locked calls from the attempt to take the lease to their end, each on the
 * thread that makes it: for traces. A bean of this type takes the place of the one that
 * makes Micrometer's observations.
 * <p>
 * As a rule the lease was given back by the end of the call. Where a transaction that was
 * open before keeps it ({@code fencing.lock.active-transaction=join}), the call ends
 * earlier, and what the commit throws is no part of it. A call that runs under a lease
 * which its thread already has is part of the outer one, and one that is refused before
 * it asks for a lease is not followed. What an observer throws is logged and goes no
 * further.
 *
 * @since 0.1.0
 */
public interface LockCallObserver {

	/**
	 * Follows nothing.
	 */
	LockCallObserver NONE = (request) -> LockCall.NONE;

	/**
	 * Follow a call that is about to ask for a lease.
	 * @param request what it locks; never null
	 * @return told how it goes on; never null
	 */
	LockCall begin(LockRequest request);

	/**
	 * One call that is followed.
	 */
	interface LockCall {

		/**
		 * Wants to know nothing.
		 */
		LockCall NONE = new LockCall() {

			@Override
			public void acquired(FencingContext context) {
			}

			@Override
			public void ended(AcquisitionOutcome outcome, @Nullable Throwable failure) {
			}

		};

		/**
		 * The lease was taken and registered, the locked code runs next.
		 * @param context the acquisition; never null
		 */
		void acquired(FencingContext context);

		/**
		 * The call is over. Told once, on the same thread.
		 * @param outcome how the attempt to take the lease has ended; never null
		 * @param failure what the call throws; null if it returns
		 */
		void ended(AcquisitionOutcome outcome, @Nullable Throwable failure);

	}

}
