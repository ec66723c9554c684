package dev.fencing.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * How a locked call is called in traces and which values go with it. A bean of this type
 * takes the place of {@link DefaultFencedLockObservationConvention}.
 *
 * @since 0.1.0
 */
public interface FencedLockObservationConvention extends ObservationConvention<FencedLockObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof FencedLockObservationContext;
	}

}
