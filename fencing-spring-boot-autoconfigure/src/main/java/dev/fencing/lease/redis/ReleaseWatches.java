package dev.fencing.lease.redis;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Who waits in this process for which lease. A message says that a lease is free to this
 * process alone, so it must not be lost: it is answered by an attempt, or passed on to
 * the next process.
 */
final class ReleaseWatches {

	private final ConcurrentHashMap<String, Set<Entry>> entries = new ConcurrentHashMap<>();

	private final Consumer<String> passOn;

	ReleaseWatches(Consumer<String> passOn) {
		this.passOn = passOn;
	}

	Entry add(String lease, Runnable mayBeFree) {
		Entry entry = new Entry(mayBeFree);
		this.entries.compute(lease, (key, known) -> {
			Set<Entry> watching = (known != null) ? known : new CopyOnWriteArraySet<>();
			watching.add(entry);
			return watching;
		});
		return entry;
	}

	void remove(String lease, Entry entry) {
		this.entries.computeIfPresent(lease, (key, watching) -> {
			watching.remove(entry);
			return watching.isEmpty() ? null : watching;
		});
		if (entry.close()) {
			this.passOn.accept(lease);
		}
	}

	boolean isEmpty() {
		return this.entries.isEmpty();
	}

	/**
	 * Tell those who wait for a lease that it is free.
	 */
	void tell(String lease) {
		boolean told = false;
		for (Entry entry : this.entries.getOrDefault(lease, Set.of())) {
			told |= entry.tell();
		}
		if (!told) {
			this.passOn.accept(lease);
		}
	}

	/**
	 * Have everybody ask, since messages may have been missed.
	 */
	void tellAll() {
		this.entries.values().forEach((watching) -> watching.forEach((entry) -> entry.mayBeFree.run()));
	}

	/**
	 * Note that the message about a lease is being answered.
	 */
	void attemptFollows(String lease) {
		this.entries.getOrDefault(lease, Set.of()).forEach(Entry::attemptFollows);
	}

	/**
	 * One who waits.
	 */
	static final class Entry {

		private final Runnable mayBeFree;

		private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

		private Entry(Runnable mayBeFree) {
			this.mayBeFree = mayBeFree;
		}

		/**
		 * Return whether the message is in good hands.
		 */
		private boolean tell() {
			if (!this.state.compareAndSet(State.WAITING, State.TOLD) && this.state.get() == State.CLOSED) {
				return false;
			}
			this.mayBeFree.run();
			return true;
		}

		private void attemptFollows() {
			this.state.compareAndSet(State.TOLD, State.WAITING);
		}

		/**
		 * Return whether it was told and has not asked since.
		 */
		private boolean close() {
			return this.state.getAndSet(State.CLOSED) == State.TOLD;
		}

	}

	private enum State {

		WAITING, TOLD, CLOSED

	}

}
