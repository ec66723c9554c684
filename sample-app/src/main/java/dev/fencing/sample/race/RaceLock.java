package dev.fencing.sample.race;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * How the workers of a race lock and write.
 */
interface RaceLock {

	/**
	 * Take the lease, work, give the lease back.
	 * @param documentId the document to lock
	 * @param leaseTime how long the lease lasts, without renewal
	 * @param work what to do under the lease
	 */
	void withLease(long documentId, Duration leaseTime, Consumer<RaceLease> work);

	/**
	 * Write the title. A transaction is active.
	 * @param documentId the document to write to
	 * @param title its new title
	 */
	void write(long documentId, String title);

}
