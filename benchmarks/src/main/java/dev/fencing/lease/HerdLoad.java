package dev.fencing.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import dev.fencing.LockRequest;

/**
 * Several processes with many threads each that all want the same lease, again and again:
 * how long they wait, and how many attempts a grant takes. Arguments: processes (8),
 * threads in each (50), seconds (30), milliseconds of work (1).
 *
 * @since 0.1.0
 */
public final class HerdLoad {

	private static final LockRequest REQUEST = LockRequest.of("load").key("herd");

	private HerdLoad() {
	}

	/**
	 * Run the measurement.
	 * @param args processes, threads, seconds, milliseconds of work
	 * @throws Exception if it cannot be run
	 */
	public static void main(String[] args) throws Exception {
		int processes = HeldLeasesLoad.argument(args, 0, 8);
		int threads = HeldLeasesLoad.argument(args, 1, 50);
		int seconds = HeldLeasesLoad.argument(args, 2, 30);
		int work = HeldLeasesLoad.argument(args, 3, 1);
		try (LoadServer server = new LoadServer()) {
			List<LoadProcess> started = new ArrayList<>();
			for (int i = 0; i < processes; i++) {
				started.add(LoadProcess.start(Worker.class, server.port(), threads, seconds, work));
			}
			List<Long> waits = new ArrayList<>();
			long all = 0;
			List<Integer> grants = new ArrayList<>();
			for (LoadProcess process : started) {
				List<String> lines = process.lines();
				all += Long.parseLong(lines.get(0));
				lines.stream().skip(1).map(Long::valueOf).forEach(waits::add);
				grants.add(lines.size() - 1);
			}
			// Each grant is one release; renewals are next to none
			double attempts = (server.scriptCalls() - all) / (double) all;
			waits.sort(null);
			long median = waits.get(waits.size() / 2);
			long longest = waits.get(waits.size() - 1);
			System.out.printf(
					"herd: %d processes x %d threads, %d ms of work, %d s: %d grants (by process %s), %.2f attempts "
							+ "per grant, wait median %d ms, p99 %d ms, longest %d ms (%.2f times the median)%n",
					processes, threads, work, seconds, waits.size(), grants, attempts, millis(median),
					millis(waits.get(waits.size() * 99 / 100)), millis(longest), longest / (double) median);
		}
	}

	private static long millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos);
	}

	/**
	 * One of the processes. Writes how often it had the lease, then each wait in
	 * nanoseconds.
	 *
	 * @since 0.1.0
	 */
	public static final class Worker {

		private Worker() {
		}

		/**
		 * Take the lease again and again. What begins in the first half of the time is
		 * not counted: until then the processes start up.
		 * @param args port, threads, seconds, milliseconds of work
		 * @throws Exception if it cannot be run
		 */
		public static void main(String[] args) throws Exception {
			int threads = Integer.parseInt(args[1]);
			long seconds = Long.parseLong(args[2]);
			long work = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[3]));
			try (LeaseNode node = new LeaseNode(Integer.parseInt(args[0]), Duration.ofSeconds(30))) {
				long begin = System.nanoTime();
				long counted = begin + TimeUnit.SECONDS.toNanos(seconds) / 2;
				long end = begin + TimeUnit.SECONDS.toNanos(seconds);
				Queue<Long> waits = new ConcurrentLinkedQueue<>();
				LongAdder grants = new LongAdder();
				List<Thread> running = new ArrayList<>();
				for (int i = 0; i < threads; i++) {
					Thread thread = new Thread(() -> takeUntil(node, end, counted, work, waits, grants));
					thread.start();
					running.add(thread);
				}
				for (Thread thread : running) {
					thread.join();
				}
				LoadProcess.report(grants.sum());
				waits.forEach(LoadProcess::report);
			}
		}

		private static void takeUntil(LeaseNode node, long end, long counted, long work, Queue<Long> waits,
				LongAdder grants) {
			while (end - System.nanoTime() > 0) {
				long asked = System.nanoTime();
				LeaseHold hold = node.acquirer().acquire(REQUEST, Duration.ofMinutes(5));
				long granted = System.nanoTime();
				grants.increment();
				while (System.nanoTime() - granted < work) {
					Thread.onSpinWait();
				}
				node.acquirer().end(hold, true);
				if (granted - counted > 0 && end - granted > 0) {
					waits.add(granted - asked);
				}
			}
		}

	}

}
