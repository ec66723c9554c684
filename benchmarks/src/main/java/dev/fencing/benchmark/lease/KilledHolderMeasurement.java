package dev.fencing.benchmark.lease;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.process.LoadProcess;
import dev.fencing.benchmark.process.LoadProcesses;
import dev.fencing.benchmark.server.RedisProbe;

/**
 * Holders are killed, one after the other, while another process waits: how long it takes
 * from the end of the lease in Redis until that one has it, or waits no longer.
 */
final class KilledHolderMeasurement implements BenchCase.Measurement {

	static final String MEDIAN = "median ms after the lease";

	static final String WORST = "worst ms after the lease";

	private final Scale scale;

	private final PeerKind peer;

	KilledHolderMeasurement(Scale scale, PeerKind peer) {
		this.scale = scale;
		this.peer = peer;
	}

	@Override
	public Map<String, Double> measure() throws Exception {
		int leaseMillis = this.scale.of(2000, 1500);
		// Beyond the end of a lease that was renewed just before the kill
		int waitMillis = this.scale.of(5000, 3000);
		List<Long> late = new ArrayList<>();
		try (LoadProcesses processes = new LoadProcesses(this.scale, "256m"); RedisProbe redis = new RedisProbe()) {
			LoadProcess waiting = processes.start(KilledHolderWorker.class, this.peer, leaseMillis, waitMillis);
			List<LoadProcess> holders = new ArrayList<>();
			for (int i = 0; i < this.scale.of(4, 1); i++) {
				holders.add(processes.start(KilledHolderWorker.class, this.peer, leaseMillis, waitMillis));
			}
			processes.awaitReady();
			for (LoadProcess holder : holders) {
				holder.tell(KilledHolderWorker.HOLD);
				String redisKey = holder.hear();
				waiting.tell(KilledHolderWorker.WAIT);
				// Long enough for the other one to wait, and each time another part of
				// the lease. Some renew it, some do not
				Pause.millis(leaseMillis / 8 + ThreadLocalRandom.current().nextInt(leaseMillis / 4));
				holder.close();
				long expiry = redis.expiry(redisKey);
				late.add(Long.parseLong(waiting.hear()) - expiry);
			}
		}
		Durations durations = new Durations(late);
		Map<String, Double> values = new LinkedHashMap<>();
		values.put(MEDIAN, durations.millis(0.5));
		values.put(WORST, durations.millis(1));
		return values;
	}

}
