package dev.fencing.lease;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the calls that have a lease or are about to take one, each from before its first
 * request until its lease has been given back. Thread-safe, and nobody waits for a lock.
 */
final class CallsInProgress {

	private final AtomicInteger count = new AtomicInteger();

	private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

	void begin() {
		this.count.incrementAndGet();
	}

	void end() {
		tell(this.count.decrementAndGet());
	}

	int count() {
		return this.count.get();
	}

	/**
	 * Wait until no more than so many are left. It need not stay so.
	 */
	CompletionStage<Void> whenAtMost(int limit) {
		Waiting waits = new Waiting(limit, new CompletableFuture<>());
		this.waiting.add(waits);
		// A call that has ended just before knew nothing of it
		tell(this.count.get());
		return waits.over().minimalCompletionStage();
	}

	private void tell(int left) {
		if (this.waiting.isEmpty()) {
			return;
		}
		this.waiting.removeIf((waits) -> left <= waits.limit() && waits.over().complete(null));
	}

	private record Waiting(int limit, CompletableFuture<Void> over) {
	}

}
