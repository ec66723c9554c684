package dev.fencing.sample.race;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How a race ended.
 *
 * @param fenced whether the database checked the owners
 * @param pause where worker A paused
 * @param leaseTime how long A's lease lasted
 * @param pauseTime how long A paused at least; null for no longer than it took B to come
 * as far as it could
 * @param resource what the two raced for
 * @param initialTitle the document's title before
 * @param events what happened, in order
 * @param finalTitle the document's title afterwards
 * @param lostUpdate whether a worker's committed update is missing in it
 * @param rejected how many writes or commits the database refused
 * @param verdict what it means, in a few words
 * @param summary what it means, in a sentence
 */
record RaceResult(boolean fenced, PausePoint pause, Duration leaseTime, @Nullable Duration pauseTime, String resource,
		String initialTitle, List<RaceEvent> events, String finalTitle, boolean lostUpdate, long rejected,
		String verdict, String summary) {

	static RaceResult of(boolean fenced, RacePlan plan, String resource, String initialTitle, List<RaceEvent> events,
			String finalTitle, long rejected) {
		RaceVerdict verdict = RaceVerdict.of(events, finalTitle, rejected);
		return new RaceResult(fenced, plan.pause(), plan.leaseTime(), plan.pauseTime(), resource, initialTitle, events,
				finalTitle, verdict.lostUpdate(), rejected, verdict.headline(), verdict.summary());
	}

}
