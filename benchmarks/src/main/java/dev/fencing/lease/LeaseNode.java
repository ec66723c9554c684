package dev.fencing.lease;

import java.time.Duration;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;

/**
 * What one process needs to take leases from a Redis: the parts of the library that come
 * before the database.
 */
final class LeaseNode implements AutoCloseable {

	private final LettuceConnectionFactory factory;

	private final RedisLeaseProvider provider;

	private final LeaseRenewer renewer;

	private final LeaseAcquirer acquirer;

	LeaseNode(int port, Duration leaseTime) {
		this.factory = new LettuceConnectionFactory("127.0.0.1", port);
		this.factory.afterPropertiesSet();
		this.factory.start();
		this.provider = new RedisLeaseProvider(this.factory, new RedisLeaseSettings("load", true));
		LeaseSettings settings = new LeaseSettings(leaseTime, Duration.ofMinutes(5), null, null);
		this.renewer = new LeaseRenewer(this.provider, settings);
		this.acquirer = new LeaseAcquirer(this.provider, this.renewer, settings, new HeldLeases());
	}

	LeaseAcquirer acquirer() {
		return this.acquirer;
	}

	@Override
	public void close() {
		this.renewer.close();
		this.provider.close();
		this.factory.destroy();
	}

}
