package dev.fencing.lease;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencingTokens;
import dev.fencing.LeaseProviderException;

/**
 * A {@link LeaseProvider} that keeps its leases in memory: for tests and for trying
 * things out, since only one process sees them. It behaves as the Redis provider does,
 * except that it never fails and never keeps a caller waiting.
 *
 * @since 0.1.0
 */
public final class InMemoryLeaseProvider implements LeaseProvider {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Entry> entries = new HashMap<>();

	private final boolean clockFloor;

	private final LongSupplier nanoClock;

	private long counter;

	/**
	 * Create a provider whose generations do not start again at 1 in the next process.
	 */
	public InMemoryLeaseProvider() {
		this(true);
	}

	/**
	 * Create a provider.
	 * @param clockFloor whether a generation is at least the wall clock's milliseconds,
	 * so that those of the next process are greater; without it they start at 1
	 */
	public InMemoryLeaseProvider(boolean clockFloor) {
		this(clockFloor, System::nanoTime);
	}

	/**
	 * Create a provider with a clock.
	 * @param clockFloor whether a generation is at least the wall clock's milliseconds
	 * @param nanoClock the clock that leases run out by: nanoseconds from any origin, as
	 * {@link System#nanoTime()} gives them; never null
	 */
	public InMemoryLeaseProvider(boolean clockFloor, LongSupplier nanoClock) {
		this.clockFloor = clockFloor;
		this.nanoClock = nanoClock;
	}

	@Override
	public String name() {
		return "memory";
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		return locked(() -> {
			Entry entry = live(request.resource());
			if (entry != null && !entry.lease().nonce().equals(request.nonce())) {
				return new LeaseAttempt.Held(remaining(entry));
			}
			Lease lease = (entry != null) ? entry.lease()
					: new Lease(request.resource(), request.nonce(), nextGeneration(0));
			put(lease, request.leaseTime());
			return new LeaseAttempt.Granted(lease);
		});
	}

	@Override
	public CompletionStage<Boolean> renew(Lease lease, Duration leaseTime) {
		return CompletableFuture.completedFuture(locked(() -> {
			Entry entry = live(lease.resource());
			if (entry == null || !entry.lease().equals(lease)) {
				return false;
			}
			put(lease, leaseTime);
			return true;
		}));
	}

	@Override
	public boolean release(Lease lease) {
		return locked(() -> {
			if (owned(lease) == null) {
				return false;
			}
			this.entries.remove(lease.resource());
			return true;
		});
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		return this.<@Nullable Lease>locked(() -> {
			Entry entry = owned(lease);
			if (entry == null) {
				return null;
			}
			long generation = entry.lease().generation();
			if (generation > aboveGeneration) {
				return entry.lease();
			}
			if (generation != lease.generation()) {
				return null;
			}
			Lease healed = new Lease(lease.resource(), lease.nonce(), nextGeneration(aboveGeneration));
			this.entries.put(lease.resource(), new Entry(healed, entry.deadline()));
			return healed;
		});
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		locked(() -> {
			this.counter = Math.max(this.counter, exceedable(aboveGeneration));
			return null;
		});
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		return this.<@Nullable LeaseState>locked(() -> {
			Entry entry = live(resource);
			return (entry != null) ? new LeaseState(entry.lease(), remaining(entry)) : null;
		});
	}

	private long nextGeneration(long aboveGeneration) {
		long next = exceedable(Math.max(this.counter, aboveGeneration)) + 1;
		this.counter = this.clockFloor ? Math.max(next, System.currentTimeMillis()) : next;
		return this.counter;
	}

	private static long exceedable(long generation) {
		if (generation >= FencingTokens.MAX_GENERATION) {
			throw new LeaseProviderException("""
					No generation exceeds %d: the greatest that makes a fencing token is %d. \
					Look at the fencing_token that the registry holds""".formatted(generation,
					FencingTokens.MAX_GENERATION));
		}
		return generation;
	}

	private void put(Lease lease, Duration leaseTime) {
		this.entries.put(lease.resource(), new Entry(lease, this.nanoClock.getAsLong() + leaseTime.toNanos()));
	}

	private @Nullable Entry owned(Lease lease) {
		Entry entry = live(lease.resource());
		return (entry != null && entry.lease().nonce().equals(lease.nonce())) ? entry : null;
	}

	private @Nullable Entry live(String resource) {
		Entry entry = this.entries.get(resource);
		return (entry != null && remaining(entry).toNanos() > 0) ? entry : null;
	}

	private Duration remaining(Entry entry) {
		return Duration.ofNanos(entry.deadline() - this.nanoClock.getAsLong());
	}

	private <T extends @Nullable Object> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A lease and the time of the nano clock at which it runs out.
	 */
	private record Entry(Lease lease, long deadline) {
	}

}
