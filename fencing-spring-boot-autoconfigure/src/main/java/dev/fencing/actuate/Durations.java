package dev.fencing.actuate;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Durations as the endpoint shows them.
 */
final class Durations {

	private Durations() {
	}

	/**
	 * Return a duration as text, as in {@code PT1.5S}: more precise than to the
	 * millisecond says nothing.
	 */
	static String text(Duration duration) {
		return duration.truncatedTo(ChronoUnit.MILLIS).toString();
	}

}
