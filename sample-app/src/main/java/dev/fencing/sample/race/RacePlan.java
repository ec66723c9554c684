package dev.fencing.sample.race;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

import dev.fencing.sample.web.BadRequestException;

/**
 * What worker A is to do in a race.
 *
 * @param pause where it pauses
 * @param leaseTime how long its lease lasts; it is not renewed
 * @param pauseTime how long it pauses at least; null for no longer than it takes its
 * successor to come as far as it can
 */
record RacePlan(PausePoint pause, Duration leaseTime, @Nullable Duration pauseTime) {

	private static final Duration USUAL_LEASE = Duration.ofMillis(500);

	/**
	 * Below, the few steps before the pause may not fit into the lease on a slow machine.
	 */
	private static final Duration SHORTEST_LEASE = Duration.ofMillis(200);

	/**
	 * Below what a step of a race may take, since a successor waits for its end.
	 */
	private static final Duration LONGEST_LEASE = Duration.ofSeconds(10);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

	/**
	 * What a worker that comes back in time needs at least of its lease, to commit and to
	 * give it back.
	 */
	private static final Duration REST_OF_LEASE = Duration.ofMillis(200);

	/**
	 * The usual race: the pause lasts until the lease is over and B is done.
	 */
	static RacePlan of(PausePoint pause) {
		return new RacePlan(pause, USUAL_LEASE, null);
	}

	/**
	 * A race as it was asked for.
	 * @throws BadRequestException if a time is none, or not a sensible one
	 */
	static RacePlan of(PausePoint pause, @Nullable String leaseTime, @Nullable String pauseTime) {
		Duration lease = (leaseTime != null) ? between("leaseTime", leaseTime, SHORTEST_LEASE, LONGEST_LEASE)
				: USUAL_LEASE;
		if (pauseTime == null) {
			return new RacePlan(pause, lease, null);
		}
		Duration pauses = between("pauseTime", pauseTime, Duration.ZERO, LONGEST_PAUSE);
		if (pauses.compareTo(lease) < 0 && pauses.compareTo(lease.minus(REST_OF_LEASE)) > 0) {
			throw new BadRequestException("pauseTime",
					"it is too close to the lease time of %s: write at most %s, so ".formatted(show(lease),
							show(lease.minus(REST_OF_LEASE)))
							+ "that A can end in time, or at least %s, so that it cannot".formatted(show(lease)));
		}
		return new RacePlan(pause, lease, pauses);
	}

	private static Duration between(String field, String text, Duration least, Duration most) {
		Duration duration = parse(field, text);
		if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
			throw new BadRequestException(field, "write a time from %s to %s".formatted(show(least), show(most)));
		}
		return duration;
	}

	private static Duration parse(String field, String text) {
		try {
			return DurationStyle.detectAndParse(text.strip());
		}
		catch (IllegalArgumentException ex) {
			throw new BadRequestException(field, "write a time as 500ms, 2s or PT0.5S");
		}
	}

	private static String show(Duration duration) {
		return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
	}

	/**
	 * Return whether A's lease is over before A goes on.
	 */
	boolean outlastsLease() {
		return this.pauseTime == null || this.pauseTime.compareTo(this.leaseTime) >= 0;
	}

}
