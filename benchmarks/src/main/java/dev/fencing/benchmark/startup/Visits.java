package dev.fencing.benchmark.startup;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A service of the application that counts in Redis.
 */
class Visits {

	private final StringRedisTemplate redis;

	Visits(StringRedisTemplate redis) {
		this.redis = redis;
	}

	void count(String page) {
		this.redis.opsForValue().increment("visits:" + page);
	}

}
