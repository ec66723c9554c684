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
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.FencingReport;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.metrics.FencingMetrics;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.Endpoints;

/**
 * What one instance has seen refused, in the three places that tell of it.
 */
final class Rejections {

	private static final int KEPT = 100;

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final RejectionLog log = new RejectionLog(KEPT);

	private final FencingEndpoint endpoint = Endpoints.of(new InMemoryLeaseProvider(), "test", this.log);

	private final List<Rejection> told = Collections.synchronizedList(new ArrayList<>());

	private final List<Rejection> all = new ArrayList<>();

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
			this.all.addAll(taken);
			return taken;
		}
	}

	/**
	 * Return whether the meters and the endpoint tell the same as the listeners were
	 * told, of each kind.
	 */
	boolean agree() {
		return metered().equals(byKind(this.all)) && reported();
	}

	private Map<String, Integer> metered() {
		Map<String, Integer> kinds = new TreeMap<>();
		for (Counter counter : this.meters.find("fence.rejected").counters()) {
			if (counter.count() > 0) {
				kinds.merge(counter.getId().getTag("guard") + "/" + counter.getId().getTag("reason"),
						(int) Math.round(counter.count()), Integer::sum);
			}
		}
		return kinds;
	}

	private boolean reported() {
		FencingReport.Rejections report = ((FencingReport) this.endpoint.fencing(null, null, KEPT)).rejections();
		List<String> recent = new ArrayList<>(report.recent()
			.stream()
			.map((each) -> each.guard() + "/" + each.reason() + "/" + each.resource() + "/" + each.rejectedToken())
			.toList());
		// The newest come first there
		Collections.reverse(recent);
		List<String> last = this.all.subList(Math.max(0, this.all.size() - KEPT), this.all.size())
			.stream()
			.map((each) -> kind(each) + "/" + each.resource() + "/" + each.rejectedToken())
			.toList();
		return report.total() == this.all.size() && recent.equals(last);
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
