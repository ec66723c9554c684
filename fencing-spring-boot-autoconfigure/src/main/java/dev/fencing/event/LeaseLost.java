package dev.fencing.event;

import java.util.List;

import dev.fencing.FencingContext;

/**
 * A lease was lost while the locked code was running: published once for each
 * acquisition, on a thread for such events. Who keeps it waiting delays those of other
 * leases, and nothing else.
 *
 * @param lock the lock name
 * @param resources what was lost; never empty
 * @param generation the number of the acquisition
 * @since 0.1.0
 */
public record LeaseLost(String lock, List<String> resources, long generation) {

	static LeaseLost of(FencingContext context) {
		return new LeaseLost(context.name(), context.resources(), context.generation());
	}

}
