package dev.fencing.lease;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this instance holds. Thread-safe.
 *
 * @since 0.1.0
 */
public final class HeldLeases {

	private final Set<LeaseHold> holds = ConcurrentHashMap.newKeySet();

	private final CallsInProgress calls = new CallsInProgress();

	/**
	 * Note that a lease is about to be asked for.
	 */
	void begin() {
		this.calls.begin();
	}

	/**
	 * Note that a lease has been given back, or was not granted.
	 */
	void end() {
		this.calls.end();
	}

	void add(LeaseHold hold) {
		this.holds.add(hold);
	}

	void remove(LeaseHold hold) {
		this.holds.remove(hold);
	}

	/**
	 * Return how many calls have a lease or are about to take one. Each counts until its
	 * lease has been given back.
	 * @return the number of calls
	 */
	public int calls() {
		return this.calls.count();
	}

	/**
	 * Wait until no more than so many calls have a lease or are about to take one. Later
	 * calls are not kept from beginning.
	 * @param limit how many may be left
	 * @return a stage that ends at such a moment, on the thread that brings it about;
	 * never null
	 */
	public CompletionStage<Void> whenCallsAtMost(int limit) {
		return this.calls.whenAtMost(limit);
	}

	/**
	 * Find what an acquisition holds here.
	 */
	List<LeaseHold> of(String nonce) {
		return this.holds.stream().filter((hold) -> hold.lease().nonce().equals(nonce)).toList();
	}

	/**
	 * List what is held now.
	 * @return the leases, the one that has been held longest first; never null
	 */
	public List<HeldLease> snapshot() {
		return this.holds.stream()
			.flatMap((hold) -> hold.lease().resources().stream().map(hold::describe))
			.sorted(Comparator.comparing(HeldLease::heldFor).reversed())
			.toList();
	}

}
