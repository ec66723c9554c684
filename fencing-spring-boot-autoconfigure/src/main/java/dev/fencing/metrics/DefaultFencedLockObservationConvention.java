package dev.fencing.metrics;

import java.util.Locale;
import java.util.OptionalLong;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The observation {@code fence.lock}, as a span {@code lock document}: with the lock name
 * and the outcome as values of which there are few, and the generation for the span
 * alone. Keys are not part of it.
 *
 * @since 0.1.0
 */
public class DefaultFencedLockObservationConvention implements FencedLockObservationConvention {

	static final FencedLockObservationConvention INSTANCE = new DefaultFencedLockObservationConvention();

	@Override
	public String getName() {
		return "fence.lock";
	}

	@Override
	public String getContextualName(FencedLockObservationContext context) {
		return "lock " + context.lock();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(FencedLockObservationContext context) {
		return KeyValues.of(KeyValue.of("lock", context.lock()),
				KeyValue.of("outcome", context.outcome().name().toLowerCase(Locale.ROOT)));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(FencedLockObservationContext context) {
		OptionalLong generation = context.generation();
		return generation.isPresent() ? KeyValues.of("generation", Long.toString(generation.getAsLong()))
				: KeyValues.empty();
	}

}
