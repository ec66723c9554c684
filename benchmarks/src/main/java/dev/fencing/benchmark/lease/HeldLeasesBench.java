package dev.fencing.benchmark.lease;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.process.LoadProcess;
import dev.fencing.benchmark.process.LoadProcesses;
import dev.fencing.benchmark.server.CommandStats;
import dev.fencing.benchmark.server.RedisProbe;

/**
 * Many locks that one process holds and renews.
 *
 * @since 0.1.0
 */
public final class HeldLeasesBench implements Bench {

	static final String WIRE = "script calls/lease and min";

	static final String COMMANDS = "Redis commands/lease and min";

	static final String CPU = "CPU µs/lease and min";

	static final String LOST = "lost";

	private static final List<Integer> LEASES = List.of(1000, 10_000, 100_000);

	private static final int COMPARED = 10_000;

	/**
	 * What is left of the leases where nothing is measured.
	 */
	private static final int SMOKE_PART = 50;

	@Override
	public String id() {
		return "B7";
	}

	@Override
	public String title() {
		return "Hold and renew many locks with a lease time of 15 s";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		for (int leases : LEASES) {
			cases.add(benchCase(scale, PeerKind.FENCING, leases));
		}
		cases.add(benchCase(scale, PeerKind.REDISSON_LOCK, COMPARED));
		return cases;
	}

	private static BenchCase benchCase(Scale scale, PeerKind peer, int leases) {
		return new BenchCase(peer.title(), setting(leases), () -> measure(scale, peer, leases));
	}

	private static Map<String, Double> measure(Scale scale, PeerKind peer, int ofFullSize) throws Exception {
		int leases = scale.of(ofFullSize, ofFullSize / SMOKE_PART);
		int leaseMillis = scale.of(15_000, 3000);
		// All of these locks renew when a third of the lease time is over
		int period = leaseMillis / 3;
		long window = (long) scale.of(2, 1) * period;
		try (LoadProcesses processes = new LoadProcesses(scale, "1g"); RedisProbe redis = new RedisProbe()) {
			redis.clear();
			LoadProcess holder = processes.start(HeldLeasesWorker.class, peer, leases, leaseMillis);
			processes.awaitReady();
			holder.tell(HeldLeasesWorker.HOLD);
			holder.hear();
			// The first renewals still come as the locks were taken
			Pause.millis(scale.of(period, 0));
			double cpu = ask(holder, HeldLeasesWorker.CPU);
			CommandStats before = redis.stats();
			Pause.millis(window);
			CommandStats commands = redis.stats().since(before);
			cpu = ask(holder, HeldLeasesWorker.CPU) - cpu;
			double leaseMinutes = leases * (window / (double) TimeUnit.MINUTES.toMillis(1));
			Map<String, Double> values = new LinkedHashMap<>();
			values.put(WIRE, commands.scripts() / leaseMinutes);
			values.put(COMMANDS, commands.total() / leaseMinutes);
			values.put(CPU, cpu / TimeUnit.MICROSECONDS.toNanos(1) / leaseMinutes);
			values.put(LOST, ask(holder, HeldLeasesWorker.LOST));
			return values;
		}
	}

	private static double ask(LoadProcess holder, String what) throws InterruptedException {
		holder.tell(what);
		return Double.parseDouble(holder.hear());
	}

	@Override
	public List<Target> targets(Results results) {
		String fencing = PeerKind.FENCING.title();
		List<Target> targets = new ArrayList<>();
		for (int leases : LEASES) {
			if (leases > COMPARED) {
				// The smaller number bears what a process takes by itself; periods do not
				// end where the measurement does
				for (String column : List.of(COMMANDS, CPU)) {
					targets.add(Target.atMost(id(),
							"%s with %s at most 1.02 of those with %s".formatted(column, setting(leases),
									setting(COMPARED)),
							results.value(fencing, setting(leases), column)
									/ results.value(fencing, setting(COMPARED), column),
							1.02));
				}
			}
			targets.add(Target.atMost(id(), "none lost of " + setting(leases),
					results.value(fencing, setting(leases), LOST), 0));
		}
		for (String column : List.of(WIRE, COMMANDS)) {
			targets.add(Target.atMost(id(), "not more %s than Redisson".formatted(column),
					results.ratio(fencing, PeerKind.REDISSON_LOCK.title(), setting(COMPARED), column), 1));
		}
		return targets;
	}

	static String setting(int leases) {
		return String.format(Locale.ROOT, "%,d leases", leases);
	}

}
