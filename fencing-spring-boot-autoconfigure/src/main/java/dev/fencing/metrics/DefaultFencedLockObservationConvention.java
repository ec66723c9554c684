package dev.fencing.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.PerLock;

/**
 * The observation {@code fence.lock}, as a span {@code lock document}: with the lock name
 * and the outcome ({@code unknown} while the call is under way) as values of which there
 * are few, and the generation for the span alone. Keys are not part of it.
 *
 * @since 0.1.0
 */
public class DefaultFencedLockObservationConvention implements FencedLockObservationConvention {

	static final FencedLockObservationConvention INSTANCE = new DefaultFencedLockObservationConvention();

	// Made once for each lock, not twice in each call
	private final PerLock<Names> names = new PerLock<>(Names::new);

	@Override
	public String getName() {
		return "fence.lock";
	}

	@Override
	public String getContextualName(FencedLockObservationContext context) {
		return this.names.get(context.lock()).span;
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(FencedLockObservationContext context) {
		return this.names.get(context.lock()).values(context.outcome());
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(FencedLockObservationContext context) {
		OptionalLong generation = context.generation();
		return generation.isPresent() ? KeyValues.of("generation", Long.toString(generation.getAsLong()))
				: KeyValues.empty();
	}

	/**
	 * What the observations of one lock have in common.
	 */
	private static final class Names {

		private final String span;

		private final KeyValues underWay;

		private final Map<AcquisitionOutcome, KeyValues> values = new EnumMap<>(AcquisitionOutcome.class);

		private Names(String lock) {
			this.span = "lock " + lock;
			this.underWay = values(lock, "unknown");
			for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
				this.values.put(outcome, values(lock, outcome.name().toLowerCase(Locale.ROOT)));
			}
		}

		private static KeyValues values(String lock, String outcome) {
			return KeyValues.of(KeyValue.of("lock", lock), KeyValue.of("outcome", outcome));
		}

		private KeyValues values(@Nullable AcquisitionOutcome outcome) {
			return (outcome != null) ? this.values.getOrDefault(outcome, this.underWay) : this.underWay;
		}

	}

}
