package dev.fencing.benchmark.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.process.LoadWorker;

/**
 * A process that wants one lock until a time comes. It reports for each time that it had
 * it when it had it, and when it was about to give it back.
 *
 * @since 0.1.0
 */
public final class HandoverWorker {

	/**
	 * Longer than the pause: the other one waits by then.
	 */
	private static final long WORK_MILLIS = 8;

	private static final long PAUSE_MILLIS = 2;

	private HandoverWorker() {
	}

	/**
	 * Take the lock again and again.
	 * @param args whose lock
	 */
	public static void main(String[] args) {
		List<String> tenures = new ArrayList<>();
		try (Peer peer = Connected.openToWait(args[0], Duration.ofSeconds(30))) {
			long end = Long.parseLong(LoadWorker.ready());
			while (System.nanoTime() - end < 0) {
				peer.locked("handover", Duration.ofMinutes(1), () -> {
					long granted = System.nanoTime();
					Pause.millis(WORK_MILLIS);
					tenures.add(granted + " " + System.nanoTime());
				});
				// Else the one that gives it back may well be the first to ask again
				Pause.millis(PAUSE_MILLIS);
			}
		}
		tenures.forEach(LoadWorker::report);
	}

}
