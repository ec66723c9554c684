package dev.fencing.sample.race;

import java.util.List;
import java.util.function.Predicate;

/**
 * What the events of a race mean.
 *
 * @param lostUpdate whether a worker's committed update is missing in the end
 * @param headline the meaning in a few words
 * @param summary the meaning in a sentence
 */
record RaceVerdict(boolean lostUpdate, String headline, String summary) {

	static RaceVerdict of(List<RaceEvent> events, String finalTitle, long rejected) {
		List<String> lost = events.stream()
			.filter(is(RaceEventType.COMMITTED))
			.map(RaceEvent::worker)
			.filter((worker) -> !finalTitle.contains(RaceWorker.mark(worker)))
			.toList();
		if (!lost.isEmpty()) {
			String update = String.join(", ", lost) + "'s update";
			return new RaceVerdict(true, update + " is lost",
					update + " was committed and is lost: nothing checked who still owned the document");
		}
		if (rejected > 0) {
			return new RaceVerdict(false, "A was refused, nothing is lost",
					"A was refused, since B had taken over: nothing that was committed is lost");
		}
		if (events.stream().noneMatch(is(RaceEventType.LEASE_EXPIRED))) {
			return new RaceVerdict(false, "A was in time, nothing is lost",
					"A ended while the lease was still its own, and B waited for it: nothing is lost");
		}
		return new RaceVerdict(false, "Nothing is lost, by luck",
				"A happened to read after B's commit, but nothing checked its write: nothing is lost, by luck");
	}

	private static Predicate<RaceEvent> is(RaceEventType type) {
		return (event) -> event.event() == type;
	}

}
