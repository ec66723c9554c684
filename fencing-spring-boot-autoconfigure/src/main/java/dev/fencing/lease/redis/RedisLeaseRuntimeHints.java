package dev.fencing.lease.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Takes the Lua scripts into a native image, and what is asked by reflection.
 *
 * @since 0.1.0
 */
public final class RedisLeaseRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		ListedServers.registerHints(hints.reflection(), classLoader);
		hints.resources().registerPattern("dev/fencing/lease/redis/*.lua");
	}

}
