package dev.fencing.lease;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What this instance holds. Thread-safe.
 *
 * @since 0.1.0
 */
public final class HeldLeases {

	private final Set<LeaseHold> holds = ConcurrentHashMap.newKeySet();

	void add(LeaseHold hold) {
		this.holds.add(hold);
	}

	void remove(LeaseHold hold) {
		this.holds.remove(hold);
	}

	/**
	 * List what is held now.
	 * @return the leases, the one that has been held longest first; never null
	 */
	public List<HeldLease> snapshot() {
		return this.holds.stream()
			.map(LeaseHold::describe)
			.sorted(Comparator.comparing(HeldLease::heldFor).reversed())
			.toList();
	}

}
