package dev.fencing.transaction;

import dev.fencing.FencingException;
import dev.fencing.LockRequest;

/**
 * Asked before a lease is taken whether what the thread brings along may be used under
 * it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface AcquisitionGate {

	/**
	 * Check, and put right where nothing is lost by it.
	 * @param request the lease that is about to be taken; never null
	 * @throws FencingException if it must not be taken here
	 */
	void beforeAcquisition(LockRequest request);

}
