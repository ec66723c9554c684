package dev.fencing.benchmark.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.JmhMeasurement;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;
import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.server.BenchServers;
import dev.fencing.benchmark.server.WireCommands;

/**
 * Locks that nobody else wants: throughput, bytes and commands.
 *
 * @since 0.1.0
 */
public final class LockBench implements Bench {

	private static final String WIRE = "commands on the wire/operation";

	private static final List<Integer> THREADS = List.of(1, 8, 32);

	@Override
	public String id() {
		return "B1";
	}

	@Override
	public String title() {
		return "Take a lock that nobody else wants, and give it back";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		for (int threads : THREADS) {
			for (PeerKind peer : PeerKind.values()) {
				JmhMeasurement throughput = new JmhMeasurement(scale, LockBenchmark.class, "lock",
						Map.of("peer", peer.name()), threads)
					.withRedis();
				cases.add(new BenchCase(peer.title(), BenchCase.threads(threads), () -> {
					Map<String, Double> values = new LinkedHashMap<>(throughput.measure());
					values.put(WIRE, onTheWire(peer));
					return values;
				}));
			}
		}
		return cases;
	}

	private static double onTheWire(PeerKind kind) throws Exception {
		int operations = 100;
		try (Peer peer = kind.open(BenchServers.redisPort(), Duration.ofSeconds(30))) {
			Runnable work = () -> {
			};
			// Connects, and has the scripts loaded
			peer.locked("wire", Duration.ofSeconds(5), work);
			try (WireCommands commands = new WireCommands(BenchServers.redisPort())) {
				for (int i = 0; i < operations; i++) {
					peer.locked("wire", Duration.ofSeconds(5), work);
				}
				return commands.next().size() / (double) operations;
			}
		}
	}

	@Override
	public Comparison comparison() {
		return new Comparison(JmhMeasurement.THROUGHPUT, PeerKind.LETTUCE.title());
	}

	@Override
	public List<Target> targets(Results results) {
		List<Target> targets = new ArrayList<>();
		for (int threads : THREADS) {
			targets.add(Target.atLeast(id(), "at least 0.95 of bare Lettuce, " + BenchCase.threads(threads),
					ratio(results, PeerKind.LETTUCE, threads), 0.95));
		}
		targets.add(Target.atLeast(id(), "at least 2 times Redisson's RFencedLock, 8 threads",
				ratio(results, PeerKind.REDISSON_FENCED_LOCK, 8), 2));
		for (PeerKind peer : List.of(PeerKind.INTEGRATION_SPIN, PeerKind.INTEGRATION_PUB_SUB)) {
			targets.add(Target.atLeast(id(), "at least 1.2 times " + peer.title() + ", 8 threads",
					ratio(results, peer, 8), 1.2));
		}
		targets.add(Target.atMost(id(), "2 commands on the wire",
				results.value(PeerKind.FENCING.title(), BenchCase.threads(1), WIRE), 2));
		return targets;
	}

	private static double ratio(Results results, PeerKind other, int threads) {
		return results.ratio(PeerKind.FENCING.title(), other.title(), BenchCase.threads(threads),
				JmhMeasurement.THROUGHPUT);
	}

}
