package dev.fencing.testsupport;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.Lease;

/**
 * Grants everything. Numbers go up, stay, or fall back, sometimes far.
 */
public final class LyingLeaseProvider extends AbstractGrantingLeaseProvider {

	private final AtomicLong counter = new AtomicLong(2_000_000);

	private final IntUnaryOperator random;

	/**
	 * Create a provider.
	 * @param random draws a number below the given one
	 */
	public LyingLeaseProvider(IntUnaryOperator random) {
		this.random = random;
	}

	@Override
	public String name() {
		return "lying";
	}

	@Override
	protected long generation() {
		return switch (this.random.applyAsInt(10)) {
			case 0 -> this.counter.get() - 1_000_000;
			case 1 -> this.counter.get() - 1;
			case 2, 3 -> this.counter.get();
			default -> this.counter.incrementAndGet();
		};
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		boolean lies = this.random.applyAsInt(10) == 0;
		long generation = lies ? aboveGeneration
				: this.counter.updateAndGet((last) -> Math.max(last, aboveGeneration) + 1);
		return lease.withGeneration(generation);
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		this.counter.accumulateAndGet(aboveGeneration, Math::max);
	}

}
