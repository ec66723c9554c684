package dev.fencing.benchmark.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.process.LoadProcesses;

/**
 * Two processes that hand one lock to and fro: how long it takes from just before the one
 * gives it back until the other one has it. Their monotonic clock is the machine's.
 */
final class HandoverMeasurement implements BenchCase.Measurement {

	static final String MEDIAN = "p50 ms";

	static final String P90 = "p90 ms";

	static final String P99 = "p99 ms";

	static final String COUNT = "handovers/s";

	private final Scale scale;

	private final PeerKind peer;

	HandoverMeasurement(Scale scale, PeerKind peer) {
		this.scale = scale;
		this.peer = peer;
	}

	@Override
	public Map<String, Double> measure() throws Exception {
		long time = TimeUnit.MILLISECONDS.toNanos(this.scale.of(10_000, 800));
		List<Tenure> tenures = new ArrayList<>();
		long end;
		try (LoadProcesses processes = new LoadProcesses(this.scale, "256m")) {
			for (int i = 0; i < 2; i++) {
				processes.start(HandoverWorker.class, this.peer);
			}
			processes.awaitReady();
			end = System.nanoTime() + time;
			processes.tell(end);
			List<List<String>> lines = processes.lines();
			for (int i = 0; i < lines.size(); i++) {
				int process = i;
				lines.get(i).forEach((line) -> tenures.add(Tenure.parse(process, line)));
			}
		}
		// The first half warms up
		return values(handovers(tenures, end - time / 2, end), time / 2);
	}

	/**
	 * Return how long the handovers took that began in a time. Who gets it back at once
	 * has handed nothing over.
	 */
	private static Durations handovers(List<Tenure> tenures, long from, long until) {
		// Two never have it at once, so that this is the order for those without a token
		tenures.sort(Comparator.comparingLong(Tenure::granted));
		List<Long> handovers = new ArrayList<>();
		for (int i = 1; i < tenures.size(); i++) {
			Tenure before = tenures.get(i - 1);
			Tenure after = tenures.get(i);
			if (after.granted() < before.released()) {
				throw new IllegalStateException("Two processes had the lock at once");
			}
			if (before.process() != after.process() && before.released() >= from && before.released() < until) {
				handovers.add(after.granted() - before.released());
			}
		}
		return new Durations(handovers);
	}

	private static Map<String, Double> values(Durations handovers, long time) {
		Map<String, Double> values = new LinkedHashMap<>();
		values.put(MEDIAN, handovers.millis(0.5));
		values.put(P90, handovers.millis(0.9));
		values.put(P99, handovers.millis(0.99));
		values.put(COUNT, handovers.count() * (double) TimeUnit.SECONDS.toNanos(1) / time);
		return values;
	}

	/**
	 * The time that a process had the lock.
	 *
	 * @param process which one
	 * @param granted when it had it
	 * @param released when it was about to give it back
	 */
	private record Tenure(int process, long granted, long released) {

		static Tenure parse(int process, String line) {
			String[] parts = line.split(" ");
			return new Tenure(process, Long.parseLong(parts[0]), Long.parseLong(parts[1]));
		}

	}

}
