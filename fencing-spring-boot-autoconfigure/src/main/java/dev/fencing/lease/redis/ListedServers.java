package dev.fencing.lease.redis;

import java.lang.reflect.Field;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ReflectionHints;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Tells whether a factory was given a list of a primary and its replicas. Its client then
 * knows no server, and the factory calls itself one of localhost; that it has a list is
 * in a private field only.
 */
final class ListedServers {

	private static final String FIELD = "configuration";

	private ListedServers() {
	}

	static boolean areOf(LettuceConnectionFactory factory) {
		Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, FIELD, RedisConfiguration.class);
		if (field == null) {
			// Another version: who needs to know then fails with the first lease
			return false;
		}
		ReflectionUtils.makeAccessible(field);
		return ReflectionUtils.getField(field, factory) instanceof RedisConfiguration configuration
				&& RedisConfiguration.isStaticMasterReplicaConfiguration(configuration);
	}

	/**
	 * Let it be asked in a native image as well.
	 */
	static void registerHints(ReflectionHints hints, @Nullable ClassLoader classLoader) {
		hints.registerTypeIfPresent(classLoader,
				"org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
				(type) -> type.withField(FIELD));
	}

}
