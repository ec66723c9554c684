package dev.fencing.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.fencing.LockRequest;

/**
 * Two processes that hand one lease to and fro: how long it takes from just before the
 * one gives it back until the other one has it. Their monotonic clock is the machine's.
 * Arguments: rounds in each process (2000), milliseconds of work (3).
 *
 * @since 0.1.0
 */
public final class HandoverLoad {

	private static final LockRequest REQUEST = LockRequest.of("load").key("handover");

	private HandoverLoad() {
	}

	/**
	 * Run the measurement.
	 * @param args rounds, milliseconds of work
	 * @throws Exception if it cannot be run
	 */
	public static void main(String[] args) throws Exception {
		int rounds = HeldLeasesLoad.argument(args, 0, 2000);
		int work = HeldLeasesLoad.argument(args, 1, 3);
		try (LoadServer server = new LoadServer()) {
			List<LoadProcess> started = List.of(LoadProcess.start(Worker.class, server.port(), rounds, work),
					LoadProcess.start(Worker.class, server.port(), rounds, work));
			List<Tenure> tenures = new ArrayList<>();
			for (int i = 0; i < started.size(); i++) {
				int process = i;
				started.get(i).lines().stream().map((line) -> Tenure.parse(process, line)).forEach(tenures::add);
			}
			tenures.sort((first, second) -> Long.compare(first.generation(), second.generation()));
			List<Long> handovers = new ArrayList<>();
			// The first half warms up
			for (int i = tenures.size() / 2; i < tenures.size(); i++) {
				Tenure before = tenures.get(i - 1);
				if (before.process() != tenures.get(i).process()) {
					handovers.add(TimeUnit.NANOSECONDS.toMicros(tenures.get(i).granted() - before.released()));
				}
			}
			handovers.sort(null);
			System.out.printf("handover: %d between 2 processes: p50 %d us, p90 %d us, p99 %d us%n", handovers.size(),
					handovers.get(handovers.size() / 2), handovers.get(handovers.size() * 9 / 10),
					handovers.get(handovers.size() * 99 / 100));
		}
	}

	/**
	 * One of the processes. Writes for each time that it had the lease the generation,
	 * when it had it, and when it gave it back.
	 *
	 * @since 0.1.0
	 */
	public static final class Worker {

		private Worker() {
		}

		/**
		 * Take the lease again and again.
		 * @param args port, rounds, milliseconds of work
		 */
		public static void main(String[] args) {
			int rounds = Integer.parseInt(args[1]);
			long work = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[2]));
			List<String> tenures = new ArrayList<>();
			try (LeaseNode node = new LeaseNode(Integer.parseInt(args[0]), Duration.ofSeconds(30))) {
				for (int i = 0; i < rounds; i++) {
					LeaseHold hold = node.acquirer().acquire(REQUEST, Duration.ofMinutes(5));
					long granted = System.nanoTime();
					pause(work);
					long released = System.nanoTime();
					node.acquirer().end(hold, true);
					tenures.add("%d %d %d".formatted(hold.lease().generation(), granted, released));
					// Else the one that releases may well be the first to ask again
					pause(work);
				}
			}
			tenures.forEach(LoadProcess::report);
		}

		private static void pause(long nanos) {
			try {
				TimeUnit.NANOSECONDS.sleep(nanos);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	private record Tenure(int process, long generation, long granted, long released) {

		static Tenure parse(int process, String line) {
			String[] parts = line.split(" ");
			return new Tenure(process, Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
		}

	}

}
