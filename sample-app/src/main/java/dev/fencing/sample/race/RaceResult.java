package dev.fencing.sample.race;

import java.util.List;

/**
 * How a race ended.
 *
 * @param fenced whether the database checked the owners
 * @param pause where worker A paused
 * @param resource what the two raced for
 * @param events what happened, in order
 * @param finalTitle the document's title afterwards
 * @param lostUpdate whether a worker's committed update is missing in it
 * @param rejected how many writes or commits the database refused
 * @param summary what it means, in a sentence
 */
record RaceResult(boolean fenced, PausePoint pause, String resource, List<RaceEvent> events, String finalTitle,
		boolean lostUpdate, long rejected, String summary) {

	static RaceResult of(boolean fenced, PausePoint pause, String resource, List<RaceEvent> events, String finalTitle,
			long rejected) {
		List<String> lost = events.stream()
			.filter((event) -> event.event() == RaceEventType.COMMITTED)
			.map(RaceEvent::worker)
			.filter((worker) -> !finalTitle.contains(RaceWorker.mark(worker)))
			.toList();
		return new RaceResult(fenced, pause, resource, events, finalTitle, !lost.isEmpty(), rejected,
				summary(lost, rejected));
	}

	private static String summary(List<String> lost, long rejected) {
		if (!lost.isEmpty()) {
			return "%s's update was committed and is lost: nothing checked who still owned the document"
				.formatted(String.join(", ", lost));
		}
		if (rejected > 0) {
			return "A was refused, since B had taken over: nothing that was committed is lost";
		}
		return "Nothing is lost, by luck: A happened to read after B's commit, but nothing checked its write";
	}

}
