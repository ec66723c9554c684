package dev.fencing.torture;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Notices that nothing happens any more, so that a run which hangs fails with what is
 * known of it.
 */
final class Stall {

	static final Duration LONGEST = Duration.ofMinutes(2);

	private final Duration longest;

	private @Nullable Object seen;

	private long since;

	Stall(Duration longest) {
		this.longest = longest;
	}

	/**
	 * Look whether something has happened since the last call.
	 * @param now what there is to see, different whenever something has happened
	 * @throws IllegalStateException if that has been the same for too long
	 */
	void check(Object now) {
		long time = System.nanoTime();
		if (!now.equals(this.seen)) {
			this.seen = now;
			this.since = time;
		}
		else if (time - this.since > this.longest.toNanos()) {
			throw new IllegalStateException("Nothing has happened for %s: %s".formatted(this.longest, now));
		}
	}

}
