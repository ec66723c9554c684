package dev.fencing.benchmark.lease;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.process.LoadProcesses;
import dev.fencing.benchmark.server.CommandStats;
import dev.fencing.benchmark.server.RedisProbe;

/**
 * Several processes with many threads each that all want the same lock, again and again.
 *
 * @since 0.1.0
 */
public final class HerdBench implements Bench {

	static final String GRANTS = "grants/s";

	static final String ATTEMPTS = "attempts/grant";

	static final String COMMANDS = "Redis commands/grant";

	static final String MEDIAN = "median wait ms";

	static final String LONGEST = "longest wait ms";

	static final String SETTING = "1 ms of work";

	private static final int PROCESSES = 8;

	private static final List<PeerKind> PEERS = PeerKind.whoCanWait();

	@Override
	public String id() {
		return "B6";
	}

	@Override
	public String title() {
		return "A herd of %d processes with 50 threads each wants the same lock".formatted(PROCESSES);
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		return PEERS.stream().map((peer) -> new BenchCase(peer.title(), SETTING, () -> measure(scale, peer))).toList();
	}

	private static Map<String, Double> measure(Scale scale, PeerKind peer) throws Exception {
		long time = TimeUnit.MILLISECONDS.toNanos(scale.of(12_000, 1000));
		try (LoadProcesses processes = new LoadProcesses(scale, "256m").compiledOnce();
				RedisProbe redis = new RedisProbe()) {
			for (int i = 0; i < scale.of(PROCESSES, 2); i++) {
				processes.start(HerdWorker.class, peer, scale.of(50, 3), time);
			}
			processes.awaitReady();
			long end = System.nanoTime() + time;
			processes.tell(end);
			// The first half warms up
			Pause.until(end - time / 2);
			CommandStats before = redis.stats();
			Pause.until(end);
			CommandStats commands = redis.stats().since(before);
			return values(processes.lines().stream().flatMap(List::stream).toList(), commands, time / 2);
		}
	}

	private static Map<String, Double> values(List<String> lines, CommandStats commands, long time) {
		List<Long> granted = new ArrayList<>();
		List<Long> all = new ArrayList<>();
		for (String line : lines) {
			String[] parts = line.split(" ");
			Long wait = Long.valueOf(parts[1]);
			all.add(wait);
			if (parts[0].equals(HerdWorker.GRANTED)) {
				granted.add(wait);
			}
		}
		double grants = granted.size();
		Map<String, Double> values = new LinkedHashMap<>();
		values.put(GRANTS, grants * TimeUnit.SECONDS.toNanos(1) / time);
		// Each of these locks runs one script to ask for it and one to give it back
		values.put(ATTEMPTS, (commands.scripts() - grants) / grants);
		values.put(COMMANDS, commands.total() / grants);
		values.put(MEDIAN, new Durations(granted).millis(0.5));
		values.put(LONGEST, new Durations(all).millis(1));
		return values;
	}

	@Override
	public Comparison comparison() {
		return new Comparison(GRANTS, PeerKind.FENCING.title());
	}

	@Override
	public List<Target> targets(Results results) {
		String fencing = PeerKind.FENCING.title();
		List<Target> targets = new ArrayList<>();
		for (PeerKind peer : PEERS) {
			if (peer != PeerKind.FENCING) {
				targets.add(Target.atLeast(id(), "at least as many grants as " + peer.title(),
						results.ratio(fencing, peer.title(), SETTING, GRANTS), 1));
			}
		}
		targets.add(Target.atMost(id(), "at most as many attempts for a grant as processes, and 2 more",
				results.value(fencing, SETTING, ATTEMPTS), PROCESSES + 2));
		return targets;
	}

}
