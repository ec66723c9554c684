package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * One channel on which releases are told, and who waits for which.
 */
final class ReleaseChannel {

	private final String name;

	private final ConcurrentHashMap<String, Set<Runnable>> watches = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable ChannelState> state = new AtomicReference<>();

	private final AtomicBoolean leavingPlanned = new AtomicBoolean();

	private volatile long idleSince = System.nanoTime();

	ReleaseChannel(String name) {
		this.name = name;
	}

	byte[] nameBytes() {
		return this.name.getBytes(StandardCharsets.UTF_8);
	}

	void add(String lease, Runnable mayBeFree) {
		this.watches.compute(lease, (key, known) -> {
			Set<Runnable> watching = (known != null) ? known : new CopyOnWriteArraySet<>();
			watching.add(mayBeFree);
			return watching;
		});
	}

	void remove(String lease, Runnable mayBeFree) {
		this.idleSince = System.nanoTime();
		this.watches.computeIfPresent(lease, (key, watching) -> {
			watching.remove(mayBeFree);
			return watching.isEmpty() ? null : watching;
		});
	}

	/**
	 * Tell those who wait for a lease.
	 * @param lease its key; null to tell all
	 */
	void tell(@Nullable String lease) {
		if (lease == null) {
			this.watches.values().forEach((watching) -> watching.forEach(Runnable::run));
		}
		else {
			this.watches.getOrDefault(lease, Set.of()).forEach(Runnable::run);
		}
	}

	@Nullable ChannelState state() {
		return this.state.get();
	}

	boolean changeState(@Nullable ChannelState known, ChannelState next) {
		return this.state.compareAndSet(known, next);
	}

	/**
	 * Note that the channel is not subscribed to any more; an attempt that is still under
	 * way stays.
	 */
	void forget() {
		ChannelState known = this.state.get();
		if (known != null && known.isDone()) {
			this.state.compareAndSet(known, null);
		}
	}

	boolean isIdle() {
		return this.watches.isEmpty();
	}

	long idleFor() {
		return isIdle() ? System.nanoTime() - this.idleSince : 0;
	}

	/**
	 * Return whether nobody else plans to look whether the channel can be left.
	 */
	boolean planLeaving() {
		return this.leavingPlanned.compareAndSet(false, true);
	}

	void leavingBegins() {
		this.leavingPlanned.set(false);
	}

	/**
	 * Give up the state if nobody waits: whoever comes later finds that it has to
	 * subscribe again.
	 * @return the state that was given up, or null if there is none to give up
	 */
	@Nullable ChannelState leave() {
		ChannelState known = this.state.get();
		if (known == null || !known.isDone() || !this.state.compareAndSet(known, null)) {
			return null;
		}
		// Looked at afterwards, so that one of the two sees the other
		if (!isIdle() && this.state.compareAndSet(null, known)) {
			return null;
		}
		return known;
	}

}
