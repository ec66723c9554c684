package dev.fencing.sample.race;

import org.jspecify.annotations.Nullable;

/**
 * What is sent to start a race.
 *
 * @param fenced whether the database checks the owners; true unless said otherwise
 * @param pause where worker A pauses; {@code beforeWrite} unless said otherwise
 */
record RaceRequest(@Nullable Boolean fenced, @Nullable String pause) {

	boolean isFenced() {
		return this.fenced == null || this.fenced;
	}

	PausePoint pausePoint() {
		return PausePoint.of(this.pause);
	}

}
