package dev.fencing.benchmark.server;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import dev.fencing.benchmark.peer.RedisConnections;

/**
 * Looks into the Redis of a measurement, beside those who are measured.
 *
 * @since 0.1.0
 */
public final class RedisProbe implements AutoCloseable {

	private final LettuceConnectionFactory factory = RedisConnections.to(BenchServers.redisPort());

	private final StringRedisTemplate redis = new StringRedisTemplate(this.factory);

	/**
	 * Connect: when something is asked for the first time, that takes no longer than
	 * later.
	 */
	public RedisProbe() {
		stats();
	}

	/**
	 * Return how often each command was run.
	 * @return the commands since the server was started; never null
	 */
	public CommandStats stats() {
		return CommandStats.of(this.factory);
	}

	/**
	 * Return when a key expires, unless somebody changes that.
	 * @param key the key; never null
	 * @return the time, as {@link System#nanoTime()} tells it
	 * @throws IllegalStateException if it is not there, or does not expire
	 */
	public long expiry(String key) {
		long before = System.nanoTime();
		Long left = this.redis.getExpire(key, TimeUnit.MILLISECONDS);
		long after = System.nanoTime();
		if (left == null || left < 0) {
			throw new IllegalStateException("There is no time to live of " + key);
		}
		return before + (after - before) / 2 + Duration.ofMillis(left).toNanos();
	}

	/**
	 * Count the keys that are there.
	 * @param keys the keys; never null
	 * @return how many of them are
	 */
	public long existing(Collection<String> keys) {
		Long count = this.redis.countExistingKeys(keys);
		return (count != null) ? count : 0;
	}

	/**
	 * Delete everything.
	 */
	public void clear() {
		this.redis.execute((connection) -> {
			connection.serverCommands().flushAll();
			return null;
		}, true);
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
