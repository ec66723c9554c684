package dev.fencing.benchmark.peer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's lock registry, of both types, with the settings that it has by
 * itself, but for the lease time. It does not renew.
 */
final class IntegrationPeer implements Peer {

	private static final String REGISTRY = "integration";

	private final LettuceConnectionFactory factory;

	private final RedisLockRegistry registry;

	IntegrationPeer(int redisPort, Duration leaseTime, boolean pubSub) {
		this.factory = RedisConnections.to(redisPort);
		this.registry = new RedisLockRegistry(this.factory, REGISTRY, leaseTime);
		this.registry.setRedisLockType(pubSub ? RedisLockType.PUB_SUB_LOCK : RedisLockType.SPIN_LOCK);
	}

	@Override
	public Held acquire(String key, Duration wait) {
		Lock lock = this.registry.obtain(key);
		try {
			if (!lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) {
				throw new IllegalStateException("Not in time: " + key);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return lock::unlock;
	}

	@Override
	public void locked(String key, Duration wait, Runnable work) {
		Lock lock = this.registry.obtain(key);
		lock.lock();
		try {
			work.run();
		}
		finally {
			lock.unlock();
		}
	}

	@Override
	public String redisKey(String key) {
		return REGISTRY + ":" + key;
	}

	@Override
	public void close() {
		this.registry.destroy();
		this.factory.destroy();
	}

}
