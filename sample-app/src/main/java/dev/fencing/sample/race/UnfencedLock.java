package dev.fencing.sample.race;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Component;

/**
 * The usual lock: a key that expires, set if absent, deleted if still one's own. There is
 * nothing wrong with it, and nothing that checks it. Here to be compared with, not to be
 * used.
 */
@Component
class UnfencedLock {

	private static final RedisScript<Long> COMPARE_AND_DELETE = RedisScript.of(
			"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end",
			Long.class);

	private final StringRedisTemplate redis;

	UnfencedLock(StringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * Return the owner's id, or null if another one holds the lock.
	 */
	@Nullable String tryAcquire(String resource, Duration leaseTime) {
		String owner = UUID.randomUUID().toString();
		Boolean acquired = this.redis.opsForValue().setIfAbsent(key(resource), owner, leaseTime);
		return Boolean.TRUE.equals(acquired) ? owner : null;
	}

	boolean isHeld(String resource, String owner) {
		return owner.equals(this.redis.opsForValue().get(key(resource)));
	}

	void release(String resource, String owner) {
		this.redis.execute(COMPARE_AND_DELETE, List.of(key(resource)), owner);
	}

	private static String key(String resource) {
		return "unfenced:" + resource;
	}

}
