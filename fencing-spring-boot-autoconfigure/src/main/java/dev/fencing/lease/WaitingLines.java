package dev.fencing.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The lines of this process, one for each resource that somebody wants right now.
 */
final class WaitingLines {

	private final ConcurrentHashMap<String, WaitingLine> lines = new ConcurrentHashMap<>();

	private final LeaseProvider provider;

	WaitingLines(LeaseProvider provider) {
		this.provider = provider;
	}

	/**
	 * Join the line for a resource, at its end.
	 */
	WaitingLine join(String resource, Waiter waiter) {
		return this.lines.compute(resource, (key, known) -> {
			WaitingLine line = (known != null) ? known : new WaitingLine(resource);
			line.join(waiter);
			return line;
		});
	}

	/**
	 * Leave a line, which is gone when nobody is left.
	 */
	void leave(WaitingLine line, Waiter waiter) {
		if (this.lines.computeIfPresent(line.resource(), (key, known) -> known.leave(waiter) ? null : known) == null) {
			line.close();
		}
	}

	/**
	 * Note that the first one in a line has to wait.
	 */
	void block(WaitingLine line) {
		this.lines.computeIfPresent(line.resource(), (key, known) -> {
			known.block();
			return known;
		});
	}

	/**
	 * Have the first one in a line told when the resource is given back.
	 * @return whether this was not so before, so that it may have missed something
	 */
	boolean watch(WaitingLine line) {
		return line.watch(this.provider);
	}

	/**
	 * Return how many resources somebody wants right now.
	 */
	int size() {
		return this.lines.size();
	}

	/**
	 * List the calls that wait, those that wait longest first.
	 */
	List<WaitingCall> calls() {
		List<WaitingCall> calls = new ArrayList<>();
		for (String resource : this.lines.keySet()) {
			// Who is in a line changes under the lock for its resource
			this.lines.computeIfPresent(resource, (key, line) -> {
				calls.addAll(line.calls());
				return line;
			});
		}
		calls.sort(Comparator.comparing(WaitingCall::waitedFor).reversed());
		return List.copyOf(calls);
	}

}
