package dev.fencing.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencingListener;
import dev.fencing.Rejection;
import dev.fencing.metrics.FencingMetrics;
import dev.fencing.rejection.RejectionLog;

/**
 * What one instance has seen refused, in the three places that tell of it.
 */
final class Rejections {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final RejectionLog log = new RejectionLog(1000);

	private final List<Rejection> told = Collections.synchronizedList(new ArrayList<>());

	private long count;

	FencingListener listener() {
		return new CompositeFencingListener(List.of(new FencingMetrics(this.meters), this.log, new FencingListener() {
			@Override
			public void rejected(Rejection rejection) {
				Rejections.this.told.add(rejection);
			}
		}));
	}

	/**
	 * Return the rejections since the last call.
	 */
	List<Rejection> take() {
		synchronized (this.told) {
			List<Rejection> taken = List.copyOf(this.told);
			this.told.clear();
			this.count += taken.size();
			return taken;
		}
	}

	/**
	 * Return whether the meters and the log have counted what the listeners were told.
	 */
	boolean agree() {
		double metered = this.meters.find("fence.rejected").counters().stream().mapToDouble(Counter::count).sum();
		return this.count == this.log.total() && this.count == Math.round(metered);
	}

	/**
	 * Return a name for the kind of a rejection.
	 */
	static String kind(Rejection rejection) {
		return rejection.guard().tag() + "/" + rejection.reason().tag();
	}

	static Map<String, Integer> byKind(List<Rejection> rejections) {
		Map<String, Integer> kinds = new TreeMap<>();
		rejections.forEach((rejection) -> kinds.merge(kind(rejection), 1, Integer::sum));
		return kinds;
	}

}
