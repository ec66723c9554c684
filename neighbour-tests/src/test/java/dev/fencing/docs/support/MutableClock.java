package dev.fencing.docs.support;

import java.time.Duration;

/**
 * A clock that tests move.
 */
public final class MutableClock {

	private Duration elapsed = Duration.ZERO;

	/**
	 * Move the clock on.
	 * @param time by how much
	 */
	public void advance(Duration time) {
		this.elapsed = this.elapsed.plus(time);
	}

	/**
	 * Return the time.
	 * @return the time since the start
	 */
	public Duration elapsed() {
		return this.elapsed;
	}

}
