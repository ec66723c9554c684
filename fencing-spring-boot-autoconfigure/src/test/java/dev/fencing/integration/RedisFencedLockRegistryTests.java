package dev.fencing.integration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.RedisLeases;

/**
 * Tests for {@link FencedLockRegistry} with leases in a real Redis.
 */
class RedisFencedLockRegistryTests extends AbstractFencedLockRegistryTests {

	private static RedisLeases redis;

	@BeforeAll
	static void start() {
		redis = new RedisLeases();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Override
	LeaseProvider leases() {
		return redis.provider();
	}

}
