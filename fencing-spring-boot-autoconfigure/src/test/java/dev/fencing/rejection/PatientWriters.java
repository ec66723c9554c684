package dev.fencing.rejection;

import java.time.Duration;

/**
 * Writers that take their time at the end, however busy the machine is.
 */
public final class PatientWriters {

	private PatientWriters() {
	}

	/**
	 * Create a writer.
	 * @param sink stores the rejections
	 * @param capacity how many may wait
	 * @return a writer that deletes nothing, to be closed by the caller
	 */
	public static RejectionWriter of(RejectionSink sink, int capacity) {
		return new RejectionWriter(sink, capacity, null, Duration.ZERO, Duration.ofMinutes(1));
	}

}
