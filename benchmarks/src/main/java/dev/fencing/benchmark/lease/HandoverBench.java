package dev.fencing.benchmark.lease;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;
import dev.fencing.benchmark.peer.PeerKind;

/**
 * How soon another process has a lock: one that is given back, and one whose holder was
 * killed.
 *
 * @since 0.1.0
 */
public final class HandoverBench implements Bench {

	static final String GIVEN_BACK = "given back";

	static final String KILLED = "holder killed";

	private static final List<PeerKind> PEERS = PeerKind.whoCanWait();

	@Override
	public String id() {
		return "B5";
	}

	@Override
	public String title() {
		return "Hand a lock over to another process that waits for it";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		for (PeerKind peer : PEERS) {
			cases.add(new BenchCase(peer.title(), GIVEN_BACK, new HandoverMeasurement(scale, peer)));
		}
		for (PeerKind peer : PEERS) {
			cases.add(new BenchCase(peer.title(), KILLED, new KilledHolderMeasurement(scale, peer)));
		}
		return cases;
	}

	@Override
	public Comparison comparison() {
		return new Comparison(HandoverMeasurement.MEDIAN, PeerKind.FENCING.title());
	}

	@Override
	public List<Target> targets(Results results) {
		String fencing = PeerKind.FENCING.title();
		List<Target> targets = new ArrayList<>();
		targets.add(Target.atMost(id(), "half of the handovers within 1 ms",
				results.value(fencing, GIVEN_BACK, HandoverMeasurement.MEDIAN), 1));
		for (PeerKind peer : PEERS) {
			if (peer != PeerKind.FENCING) {
				targets.add(Target.atMost(id(), "not slower than " + peer.title(),
						results.ratio(fencing, peer.title(), GIVEN_BACK, HandoverMeasurement.MEDIAN), 1));
			}
		}
		targets.add(Target.atMost(id(), "within 50 ms of the end of a killed holder's lease",
				results.value(fencing, KILLED, KilledHolderMeasurement.WORST), 50));
		return targets;
	}

}
