package dev.fencing.benchmark.lease;

import java.util.concurrent.TimeUnit;

/**
 * Lets time pass.
 */
final class Pause {

	private Pause() {
	}

	static void millis(long millis) {
		until(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/**
	 * Wait until a time.
	 * @param nanoTime the time, as {@link System#nanoTime()} tells it
	 */
	static void until(long nanoTime) {
		try {
			TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
