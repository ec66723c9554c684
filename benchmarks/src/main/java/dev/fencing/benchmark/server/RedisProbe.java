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

	private static final int QUESTIONS = 5;

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
	 * Return when a key expires, unless somebody changes that: not before this time, and
	 * hardly after it. An answer tells how much is left at a moment between question and
	 * answer. Counted from the question, it is never too late a time, however long the
	 * answer takes, and the latest of a few is the best.
	 * @param key the key; never null
	 * @return the time, as {@link System#nanoTime()} tells it
	 * @throws IllegalStateException if it is not there, or does not expire
	 */
	public long expiry(String key) {
		long expiry = askExpiry(key);
		for (int i = 1; i < QUESTIONS; i++) {
			long other = askExpiry(key);
			if (other - expiry > 0) {
				expiry = other;
			}
		}
		return expiry;
	}

	private long askExpiry(String key) {
		long asked = System.nanoTime();
		Long left = this.redis.getExpire(key, TimeUnit.MILLISECONDS);
		if (left == null || left < 0) {
			throw new IllegalStateException("There is no time to live of " + key);
		}
		return asked + Duration.ofMillis(left).toNanos();
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
