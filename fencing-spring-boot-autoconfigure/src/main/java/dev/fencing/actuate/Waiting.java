package dev.fencing.actuate;

import java.util.List;

import dev.fencing.lease.WaitingCall;

/**
 * A call of this instance that waits for a lease.
 *
 * @param lock the lock name
 * @param resource the resource that another owner has, or others wait for as well
 * @param waitedFor how long it has been waiting, as in {@code PT1.5S}
 * @param thread the name of the thread that waits
 * @since 0.1.0
 */
public record Waiting(String lock, String resource, String waitedFor, String thread) {

	static List<Waiting> of(List<WaitingCall> calls, KeyMask mask) {
		return calls.stream()
			.map((call) -> new Waiting(call.lock(), mask.mask(call.resource()), Durations.text(call.waitedFor()),
					call.thread()))
			.toList();
	}

}
