package dev.fencing.benchmark.peer;

import java.time.Duration;
import java.time.Instant;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock's Redis provider. It neither waits nor renews by itself.
 */
final class ShedLockPeer implements Peer {

	private static final String ENVIRONMENT = "bench";

	private final LettuceConnectionFactory factory;

	private final RedisLockProvider provider;

	private final Duration leaseTime;

	ShedLockPeer(int redisPort, Duration leaseTime) {
		this.factory = RedisConnections.to(redisPort);
		this.provider = new RedisLockProvider(this.factory, ENVIRONMENT);
		this.leaseTime = leaseTime;
	}

	@Override
	public Held acquire(String key, Duration wait) {
		SimpleLock lock = this.provider.lock(new LockConfiguration(Instant.now(), key, this.leaseTime, Duration.ZERO))
			.orElseThrow(() -> new IllegalStateException("Not free: " + key));
		return lock::unlock;
	}

	@Override
	public String redisKey(String key) {
		return "job-lock:%s:%s".formatted(ENVIRONMENT, key);
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

}
