package dev.fencing.benchmark.peer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's locks with the settings that it has by itself, but for the lease time. Its
 * watchdog renews them.
 */
final class RedissonPeer implements Peer {

	private final RedissonClient client;

	private final boolean fenced;

	RedissonPeer(int redisPort, Duration leaseTime, boolean fenced) {
		Config config = new Config();
		config.setLockWatchdogTimeout(leaseTime.toMillis());
		config.useSingleServer().setAddress("redis://127.0.0.1:" + redisPort);
		this.client = Redisson.create(config);
		this.fenced = fenced;
	}

	@Override
	public Held acquire(String key, Duration wait) {
		try {
			if (this.fenced) {
				RFencedLock lock = this.client.getFencedLock(redisKey(key));
				Long token = lock.tryLockAndGetToken(wait.toMillis(), TimeUnit.MILLISECONDS);
				return held(lock, token != null, key);
			}
			RLock lock = this.client.getLock(redisKey(key));
			return held(lock, lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS), key);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void locked(String key, Duration wait, Runnable work) {
		RLock lock;
		if (this.fenced) {
			RFencedLock fencedLock = this.client.getFencedLock(redisKey(key));
			fencedLock.lockAndGetToken();
			lock = fencedLock;
		}
		else {
			lock = this.client.getLock(redisKey(key));
			lock.lock();
		}
		try {
			work.run();
		}
		finally {
			lock.unlock();
		}
	}

	private static Held held(RLock lock, boolean inTime, String key) {
		if (!inTime) {
			throw new IllegalStateException("Not in time: " + key);
		}
		return lock::unlock;
	}

	@Override
	public String redisKey(String key) {
		return "redisson:" + key;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
