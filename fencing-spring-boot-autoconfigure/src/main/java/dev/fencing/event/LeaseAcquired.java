package dev.fencing.event;

import java.util.List;

import dev.fencing.FencingContext;

/**
 * A lease was taken and registered, the locked code runs next. Published on its thread
 * for each acquisition, also with the most frequent lock: listen to it with care.
 *
 * @param lock the lock name
 * @param resources what was taken; never empty
 * @param generation the number of the acquisition
 * @since 0.1.0
 */
public record LeaseAcquired(String lock, List<String> resources, long generation) {

	static LeaseAcquired of(FencingContext context) {
		return new LeaseAcquired(context.name(), context.resources(), context.generation());
	}

}
