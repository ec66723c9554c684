package dev.fencing.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.LockCallObserver;
import dev.fencing.LockRequest;

/**
 * Makes an observation of every locked call, from the attempt to take the lease until it
 * was given back. It is the current one meanwhile: what the locked code does belongs to
 * it. Where nobody handles observations, nothing is made.
 *
 * @since 0.1.0
 */
public final class ObservedLockCalls implements LockCallObserver {

	private final ObservationRegistry registry;

	private final @Nullable FencedLockObservationConvention convention;

	/**
	 * Create an observer.
	 * @param registry who handles observations; never null
	 * @param convention names and values; null for the default ones
	 */
	public ObservedLockCalls(ObservationRegistry registry, @Nullable FencedLockObservationConvention convention) {
		Assert.notNull(registry, "An observation registry is required");
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public LockCall begin(LockRequest request) {
		if (this.registry.isNoop()) {
			return LockCall.NONE;
		}
		FencedLockObservationContext context = new FencedLockObservationContext(request.name());
		Observation observation = Observation
			.createNotStarted(this.convention, DefaultFencedLockObservationConvention.INSTANCE, () -> context,
					this.registry)
			.start();
		ObservedCall call = new ObservedCall(observation, context, this.registry);
		call.open();
		return call;
	}

	/**
	 * A call and its observation.
	 */
	private static final class ObservedCall implements LockCall {

		private final Observation observation;

		private final FencedLockObservationContext context;

		private final ObservationRegistry registry;

		private final Observation.@Nullable Scope outer;

		private Observation.@Nullable Scope scope;

		private ObservedCall(Observation observation, FencedLockObservationContext context,
				ObservationRegistry registry) {
			this.observation = observation;
			this.context = context;
			this.registry = registry;
			this.outer = registry.getCurrentObservationScope();
		}

		private void open() {
			boolean opened = false;
			try {
				this.scope = this.observation.openScope();
				opened = true;
			}
			finally {
				if (!opened) {
					this.registry.setCurrentObservationScope(this.outer);
					this.observation.stop();
				}
			}
		}

		@Override
		public void acquired(FencingContext acquisition) {
			this.context.acquired(acquisition.generation());
		}

		@Override
		public void ended(AcquisitionOutcome outcome, @Nullable Throwable failure) {
			this.context.ended(outcome);
			try {
				if (failure != null) {
					this.observation.error(failure);
				}
			}
			finally {
				try {
					close();
				}
				finally {
					this.observation.stop();
				}
			}
		}

		private void close() {
			try {
				if (this.scope != null) {
					this.scope.close();
				}
			}
			finally {
				// Whatever a handler has thrown: the thread goes on to other work
				this.registry.setCurrentObservationScope(this.outer);
			}
		}

	}

}
