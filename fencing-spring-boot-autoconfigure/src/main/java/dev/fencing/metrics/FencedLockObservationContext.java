package dev.fencing.metrics;

import java.util.OptionalLong;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import dev.fencing.AcquisitionOutcome;

/**
 * What is known of a locked call that is observed.
 *
 * @since 0.1.0
 */
public final class FencedLockObservationContext extends Observation.Context {

	private final String lock;

	private @Nullable AcquisitionOutcome outcome;

	private long generation;

	/**
	 * Create the context of a call that has no lease yet.
	 * @param lock the lock name; never null
	 */
	public FencedLockObservationContext(String lock) {
		this.lock = lock;
	}

	/**
	 * Return the lock name.
	 * @return the lock name, without any key; never null
	 */
	public String lock() {
		return this.lock;
	}

	/**
	 * Return how the attempt to take the lease has ended.
	 * @return the outcome; null while the call is under way
	 */
	public @Nullable AcquisitionOutcome outcome() {
		return this.outcome;
	}

	/**
	 * Return the number of the acquisition.
	 * @return the generation; empty without a lease
	 */
	public OptionalLong generation() {
		return (this.generation != 0) ? OptionalLong.of(this.generation) : OptionalLong.empty();
	}

	void acquired(long generation) {
		this.generation = generation;
	}

	void ended(AcquisitionOutcome outcome) {
		this.outcome = outcome;
	}

}
