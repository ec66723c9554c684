package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.transaction.Acquisition;

/**
 * Finds the acquisition that a helper's statement goes with.
 */
final class BoundAcquisitions {

	private BoundAcquisitions() {
	}

	/**
	 * Return the acquisition.
	 * @param resource the resource that it must be on; null if there is only one
	 * @throws NoFencedLeaseException if it is not bound, or if several are
	 */
	static Acquisition require(@Nullable String resource) {
		List<FencingContext> all = FencingContextHolder.all();
		if (all.isEmpty()) {
			throw new NoFencedLeaseException("""
					No fenced lease is bound to this thread: call this inside a @FencedLock method or a \
					FencedLockTemplate, on the same thread. Nothing was sent to the database""");
		}
		if (resource != null) {
			FencingContext context = FencingContextHolder.find(resource);
			if (context == null) {
				throw new NoFencedLeaseException("""
						No fenced lease on '%s' is bound to this thread, only on %s. Nothing was sent to the database"""
					.formatted(resource, names(all)));
			}
			return (Acquisition) context;
		}
		if (all.size() > 1) {
			throw new NoFencedLeaseException("""
					Several fenced leases are bound to this thread, on %s: say which one the statement goes with, \
					by on(name, key).update(...). Nothing was sent to the database""".formatted(names(all)));
		}
		return (Acquisition) all.get(0);
	}

	private static String names(List<FencingContext> contexts) {
		return Acquisition.named(contexts.stream().flatMap((context) -> context.resources().stream()).toList());
	}

}
