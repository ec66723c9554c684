package dev.fencing.sample.race;

import org.jspecify.annotations.Nullable;

/**
 * What is sent to start a race. Times are text such as {@code 500ms}, {@code 2s} or
 * {@code PT0.5S}.
 *
 * @param fenced whether the database checks the owners; true unless said otherwise
 * @param pause where worker A pauses; {@code beforeWrite} unless said otherwise
 * @param leaseTime how long A's lease lasts; half a second unless said otherwise
 * @param pauseTime how long A pauses at least; unless said otherwise, until its lease is
 * over and B has come as far as it can
 */
record RaceRequest(@Nullable Boolean fenced, @Nullable String pause, @Nullable String leaseTime,
		@Nullable String pauseTime) {

	boolean isFenced() {
		return this.fenced == null || this.fenced;
	}

	RacePlan plan() {
		return RacePlan.of(PausePoint.of(this.pause), this.leaseTime, this.pauseTime);
	}

}
