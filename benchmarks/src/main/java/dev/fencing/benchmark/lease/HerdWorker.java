package dev.fencing.benchmark.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.process.LoadWorker;

/**
 * A process whose threads want one lock until a time comes. It reports how long they
 * waited, from the half of the time on: for each time that they had it, and at last for
 * those who did not get it any more.
 *
 * @since 0.1.0
 */
public final class HerdWorker {

	static final String GRANTED = "granted";

	private static final String CUT_OFF = "cut-off";

	private static final long WORK = TimeUnit.MILLISECONDS.toNanos(1);

	/**
	 * Those who wait at the end give up after it, so that this does not count.
	 */
	private static final long GIVE_UP_AFTER = TimeUnit.MILLISECONDS.toNanos(100);

	private final Peer peer;

	private final long counted;

	private final long end;

	private final Queue<String> reports = new ConcurrentLinkedQueue<>();

	private HerdWorker(Peer peer, long counted, long end) {
		this.peer = peer;
		this.counted = counted;
		this.end = end;
	}

	/**
	 * Take the lock again and again.
	 * @param args whose lock, how many threads, for how many nanoseconds
	 * @throws Exception if it fails
	 */
	public static void main(String[] args) throws Exception {
		int threads = Integer.parseInt(args[1]);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try (Peer peer = Connected.openToWait(args[0], Duration.ofSeconds(30))) {
			long end = Long.parseLong(LoadWorker.ready());
			HerdWorker worker = new HerdWorker(peer, end - Long.parseLong(args[2]) / 2, end);
			List<Future<?>> running = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				running.add(executor.submit(worker::takeUntilTheEnd));
			}
			for (Future<?> thread : running) {
				thread.get();
			}
			worker.reports.forEach(LoadWorker::report);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private void takeUntilTheEnd() {
		long asked = System.nanoTime();
		while (asked - this.end < 0 && takeOnce(asked)) {
			asked = System.nanoTime();
		}
	}

	/**
	 * Take the lock once.
	 * @return whether it was free before the end
	 */
	private boolean takeOnce(long asked) {
		Peer.Held held;
		try {
			held = this.peer.acquire("herd", Duration.ofNanos(this.end - asked + GIVE_UP_AFTER));
		}
		catch (IllegalStateException ex) {
			if (System.nanoTime() - this.end < 0) {
				throw ex;
			}
			this.reports.add(CUT_OFF + " " + (this.end - asked));
			return false;
		}
		long granted = System.nanoTime();
		try {
			while (System.nanoTime() - granted < WORK) {
				Thread.onSpinWait();
			}
		}
		finally {
			held.release();
		}
		boolean inTime = granted - this.end < 0;
		if (granted - this.counted >= 0) {
			this.reports.add(inTime ? GRANTED + " " + (granted - asked) : CUT_OFF + " " + (this.end - asked));
		}
		return inTime;
	}

}
