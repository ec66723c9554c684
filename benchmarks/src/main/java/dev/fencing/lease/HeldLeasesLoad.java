package dev.fencing.lease;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import com.sun.management.OperatingSystemMXBean;

import dev.fencing.LockRequest;

/**
 * Many leases held by one process: how many are lost, and how many commands it takes.
 * Arguments: leases (10000), seconds (60), lease time in seconds (6).
 *
 * @since 0.1.0
 */
public final class HeldLeasesLoad {

	private HeldLeasesLoad() {
	}

	/**
	 * Run the measurement.
	 * @param args leases, seconds, lease time in seconds
	 * @throws Exception if it cannot be run
	 */
	public static void main(String[] args) throws Exception {
		int leases = argument(args, 0, 10_000);
		int seconds = argument(args, 1, 60);
		Duration leaseTime = Duration.ofSeconds(argument(args, 2, 6));
		try (LoadServer server = new LoadServer(); LeaseNode node = new LeaseNode(server.port(), leaseTime)) {
			Counts counts = new Counts();
			List<LeaseHold> holds = new ArrayList<>();
			for (int i = 0; i < leases; i++) {
				LeaseHold hold = node.acquirer().acquire(LockRequest.of("load").key(i), Duration.ZERO);
				hold.report(counts);
				holds.add(hold);
			}
			long commands = server.scriptCalls();
			long cpu = processCpu();
			long renewed = counts.renewed.sum();
			TimeUnit.SECONDS.sleep(seconds);
			commands = server.scriptCalls() - commands;
			cpu = processCpu() - cpu;
			System.out.printf(
					"held: %d leases of %s for %d s: %d lost, %d renewed, %d renewals failed, %d commands in 20 s, "
							+ "%.1f %% of one CPU%n",
					leases, leaseTime, seconds, counts.lost.sum() + holds.stream().filter(LeaseHold::isLost).count(),
					counts.renewed.sum() - renewed, counts.failed.sum(), commands * 20 / seconds,
					100.0 * cpu / TimeUnit.SECONDS.toNanos(seconds));
			holds.forEach((hold) -> node.acquirer().end(hold, true));
		}
	}

	private static long processCpu() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	static int argument(String[] args, int index, int otherwise) {
		return (args.length > index) ? Integer.parseInt(args[index]) : otherwise;
	}

	private static final class Counts implements RenewalCallback {

		private final LongAdder renewed = new LongAdder();

		private final LongAdder failed = new LongAdder();

		private final LongAdder lost = new LongAdder();

		@Override
		public void renewed(double slack) {
			this.renewed.increment();
		}

		@Override
		public void renewalFailed(Throwable failure) {
			this.failed.increment();
		}

		@Override
		public void lost() {
			this.lost.increment();
		}

	}

}
