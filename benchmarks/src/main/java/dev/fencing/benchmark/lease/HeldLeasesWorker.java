package dev.fencing.benchmark.lease;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;

import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.process.LoadWorker;
import dev.fencing.benchmark.server.RedisProbe;

/**
 * A process that holds many locks, and answers questions about that until it is killed.
 *
 * @since 0.1.0
 */
public final class HeldLeasesWorker {

	/**
	 * Take all locks, and report when that is done.
	 */
	static final String HOLD = "hold";

	/**
	 * Report how many nanoseconds of CPU this process has used.
	 */
	static final String CPU = "cpu";

	/**
	 * Report how many of the locks are gone.
	 */
	static final String LOST = "lost";

	private static final int THREADS = 8;

	private HeldLeasesWorker() {
	}

	/**
	 * Do as told.
	 * @param args whose locks, how many, lease time in milliseconds
	 * @throws Exception if it fails
	 */
	public static void main(String[] args) throws Exception {
		List<String> keys = IntStream.range(0, Integer.parseInt(args[1])).mapToObj((i) -> "held-" + i).toList();
		try (Peer peer = Connected.open(args[0], Duration.ofMillis(Long.parseLong(args[2])))) {
			String instruction = LoadWorker.ready();
			while (true) {
				LoadWorker.report(switch (instruction) {
					case HOLD -> hold(peer, keys);
					case CPU -> cpu();
					case LOST -> lost(peer, keys);
					default -> throw new IllegalArgumentException(instruction);
				});
				instruction = LoadWorker.instruction();
			}
		}
	}

	private static long hold(Peer peer, List<String> keys) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<?>> taken = new ArrayList<>();
			for (String key : keys) {
				taken.add(executor.submit(() -> peer.acquire(key, Duration.ofSeconds(1))));
			}
			for (Future<?> future : taken) {
				future.get();
			}
			return taken.size();
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static long cpu() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	/**
	 * None of these locks comes back once its time is over, and nobody else wants them:
	 * what is there has always been.
	 */
	private static long lost(Peer peer, List<String> keys) {
		try (RedisProbe redis = new RedisProbe()) {
			return keys.size() - redis.existing(keys.stream().map(peer::redisKey).toList());
		}
	}

}
