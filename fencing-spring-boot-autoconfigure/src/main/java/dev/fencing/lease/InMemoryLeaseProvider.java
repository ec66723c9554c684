package dev.fencing.lease;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
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

	private static final int CROWDED = 64;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<String, Entry> entries = new HashMap<>();

	private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

	private final boolean clockFloor;

	private final LongSupplier nanoClock;

	private long counter;

	private int crowded = CROWDED;

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
			Lease wanted = new Lease(request.resources(), request.nonce(), 0);
			for (String resource : request.resources()) {
				Entry entry = live(resource);
				if (entry != null && !entry.nonce().equals(request.nonce())) {
					return new LeaseAttempt.Held(resource, remaining(entry));
				}
			}
			// The same request again, its first reply was lost, gets the same generation
			long generation = isOwned(wanted) ? generation(wanted) : nextGeneration(0);
			Lease lease = wanted.withGeneration(generation);
			put(lease, request.leaseTime());
			return new LeaseAttempt.Granted(lease);
		});
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		return CompletableFuture.completedFuture(locked(() -> extensions.stream().map(this::renewOne).toList()));
	}

	private RenewalAnswer renewOne(LeaseExtension extension) {
		Lease lease = extension.lease();
		if (isOwned(lease)) {
			put(lease.withGeneration(generation(lease)), extension.leaseTime());
			return new RenewalAnswer.Renewed();
		}
		return lease.resources()
			.stream()
			.map(this::live)
			.filter((entry) -> entry != null && !entry.nonce().equals(lease.nonce()))
			.map((entry) -> (RenewalAnswer) new RenewalAnswer.Taken(entry.generation()))
			.findFirst()
			.orElseGet(RenewalAnswer.Gone::new);
	}

	@Override
	public boolean release(Lease lease, Duration blockedFor) {
		boolean whole = locked(() -> {
			boolean owned = isOwned(lease);
			for (String resource : lease.resources()) {
				Entry entry = live(resource);
				if (entry != null && entry.nonce().equals(lease.nonce())) {
					this.entries.remove(resource);
					if (isPositive(blockedFor)) {
						this.entries.put(resource,
								new Entry(entry.nonce() + LeaseState.RELEASED, entry.generation(), after(blockedFor)));
					}
				}
			}
			return owned;
		});
		for (Watch watch : this.watches) {
			if (lease.resources().contains(watch.resource)) {
				watch.mayBeFree.run();
			}
		}
		return whole;
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		return this.<@Nullable Lease>locked(() -> {
			if (!isOwned(lease)) {
				return null;
			}
			long generation = generation(lease);
			if (generation > aboveGeneration) {
				return lease.withGeneration(generation);
			}
			if (generation != lease.generation()) {
				return null;
			}
			long healed = nextGeneration(aboveGeneration);
			for (String resource : lease.resources()) {
				this.entries.computeIfPresent(resource,
						(key, entry) -> new Entry(entry.nonce(), healed, entry.deadline()));
			}
			return lease.withGeneration(healed);
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
			return (entry != null)
					? new LeaseState(new Lease(resource, entry.nonce(), entry.generation()), remaining(entry)) : null;
		});
	}

	@Override
	public ReleaseWatch watch(String resource, Runnable mayBeFree) {
		Watch watch = new Watch(resource, mayBeFree);
		this.watches.add(watch);
		return watch;
	}

	int size() {
		return locked(this.entries::size);
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
		long deadline = after(leaseTime);
		if (this.entries.size() >= this.crowded) {
			// What ran out and was never asked for again
			this.entries.values().removeIf((entry) -> !isPositive(remaining(entry)));
			this.crowded = Math.max(CROWDED, 2 * this.entries.size());
		}
		for (String resource : lease.resources()) {
			this.entries.put(resource, new Entry(lease.nonce(), lease.generation(), deadline));
		}
	}

	private long after(Duration time) {
		return this.nanoClock.getAsLong() + time.toNanos();
	}

	/**
	 * Return whether all of a lease is its acquisition's.
	 */
	private boolean isOwned(Lease lease) {
		for (String resource : lease.resources()) {
			Entry entry = live(resource);
			if (entry == null || !entry.nonce().equals(lease.nonce())) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Return the generation under which a lease that is owned was given out last.
	 */
	private long generation(Lease lease) {
		return lease.resources()
			.stream()
			.map(this.entries::get)
			.filter(Objects::nonNull)
			.mapToLong(Entry::generation)
			.max()
			.orElseThrow();
	}

	private @Nullable Entry live(String resource) {
		Entry entry = this.entries.get(resource);
		return (entry != null && isPositive(remaining(entry))) ? entry : null;
	}

	private static boolean isPositive(Duration time) {
		return !time.isZero() && !time.isNegative();
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
	 * Who has a resource, and the time of the nano clock at which that ends.
	 */
	private record Entry(String nonce, long generation, long deadline) {
	}

	/**
	 * Somebody who waits for a resource.
	 */
	private final class Watch implements ReleaseWatch {

		private final String resource;

		private final Runnable mayBeFree;

		Watch(String resource, Runnable mayBeFree) {
			this.resource = resource;
			this.mayBeFree = mayBeFree;
		}

		@Override
		public CompletionStage<?> ready() {
			return CompletableFuture.completedStage(null);
		}

		@Override
		public void close() {
			InMemoryLeaseProvider.this.watches.remove(this);
		}

	}

}
