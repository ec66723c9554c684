package dev.fencing.sample.race;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.StaleGenerationException;

/**
 * The events of one race in the order in which they happened. One clock for both workers,
 * which cannot be set back.
 */
final class RaceLog {

	private final Instant started = Instant.now();

	private final long startedNanos = System.nanoTime();

	private final List<RaceEvent> events = new ArrayList<>();

	synchronized void add(String worker, RaceEventType event) {
		add(worker, event, null, null);
	}

	synchronized void add(String worker, RaceEventType event, @Nullable Long token, @Nullable String title) {
		this.events.add(RaceEvent.of(now(), worker, event, token, title));
	}

	synchronized void rejected(String worker, StaleGenerationException ex) {
		this.events.add(RaceEvent.rejected(now(), worker, ex));
	}

	synchronized List<RaceEvent> events() {
		return List.copyOf(this.events);
	}

	private Instant now() {
		return this.started.plus(Duration.ofNanos(System.nanoTime() - this.startedNanos));
	}

}
