package dev.fencing.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import brave.Tracing;
import brave.handler.SpanHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.brave.bridge.BraveBaggageManager;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.LockCallObserver;
import dev.fencing.LockRequest;
import dev.fencing.actuate.LockTotals;
import dev.fencing.event.FencingEventPublisher;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionLogger;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.LeasedLockTemplate;

/**
 * What operators' parts cost a locked call, without any server: meters for Prometheus,
 * totals, observations with meters and traces. Run with {@code -prof gc}, which tells the
 * bytes per call.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class OperatedCallBenchmark {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	/**
	 * What is there: {@code none} as without actuator, meter registry and tracing,
	 * {@code meters}, {@code observed} with observations that make meters besides, and
	 * {@code all} with traces too.
	 */
	@Param({ "none", "meters", "observed", "all" })
	public String parts = "all";

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, null);

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	// Without a handler of its own Brave writes every span to the log
	private final Tracing tracing = Tracing.newBuilder().addSpanHandler(new SpanHandler() {
	}).build();

	private final ObservationRegistry observations = ObservationRegistry.create();

	private FencedLockTemplate locks = template(new CompositeFencingListener(List.of()), LockCallObserver.NONE);

	/**
	 * Put the parts together.
	 */
	@Setup
	public void prepare() {
		this.context.refresh();
		PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		List<FencingListener> listeners = new ArrayList<>(
				List.of(new RejectionLog(100), new RejectionLogger(), new FencingEventPublisher(this.context)));
		LockCallObserver observer = LockCallObserver.NONE;
		if (!this.parts.equals("none")) {
			listeners.add(new FencingMetrics(meters));
			listeners.add(new LockTotals());
			if (!this.parts.equals("meters")) {
				this.observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
			}
			if (this.parts.equals("all")) {
				this.observations.observationConfig()
					.observationHandler(new DefaultTracingObservationHandler(new BraveTracer(this.tracing.tracer(),
							new BraveCurrentTraceContext(this.tracing.currentTraceContext()),
							new BraveBaggageManager())));
			}
			observer = new ObservedLockCalls(this.observations, null);
		}
		this.locks = template(new CompositeFencingListener(listeners), observer);
	}

	/**
	 * Take the parts down.
	 */
	@TearDown
	public void close() {
		this.renewer.close();
		this.context.close();
		this.tracing.close();
	}

	/**
	 * Call an empty method under a lock.
	 * @return the generation
	 */
	@Benchmark
	public long call() {
		return this.locks.execute(REQUEST, (acquisition) -> acquisition.generation());
	}

	/**
	 * Observe nothing, with the same values as an observed call: what Micrometer and the
	 * tracer take by themselves.
	 * @return the generation
	 */
	@Benchmark
	public long observation() {
		return Observation.createNotStarted("fence.alone", this.observations)
			.contextualName("lock document")
			.lowCardinalityKeyValue("lock", "document")
			.lowCardinalityKeyValue("outcome", "acquired")
			.highCardinalityKeyValue("generation", "1796098083846")
			.observe(() -> 1796098083846L);
	}

	private FencedLockTemplate template(FencingListener listener, LockCallObserver observer) {
		return new LeasedLockTemplate(this.provider,
				new LeaseAcquirer(this.provider, this.renewer, this.settings, new HeldLeases()), null,
				ActiveTransaction.REJECT, List.of(), listener, observer, Duration.ZERO, "benchmark");
	}

}
