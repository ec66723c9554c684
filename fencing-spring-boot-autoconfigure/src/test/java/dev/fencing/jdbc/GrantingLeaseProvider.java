package dev.fencing.jdbc;

import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.Lease;
import dev.fencing.testsupport.AbstractGrantingLeaseProvider;

/**
 * Grants everybody everything, with the generation that the test asks for.
 */
class GrantingLeaseProvider extends AbstractGrantingLeaseProvider {

	private final AtomicLong generation = new AtomicLong();

	private final AtomicLong raisedAbove = new AtomicLong();

	/**
	 * Set the generation of the next acquisition.
	 */
	void next(long generation) {
		this.generation.set(generation);
	}

	/**
	 * Return the generation above which the counter was raised last, or 0.
	 */
	long raisedAbove() {
		return this.raisedAbove.get();
	}

	@Override
	protected long generation() {
		return this.generation.get();
	}

	@Override
	public String name() {
		return "granting";
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		return null;
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		this.raisedAbove.set(aboveGeneration);
	}

}
