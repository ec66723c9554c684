package dev.fencing.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;

/**
 * What one process needs to take leases from a Redis: the parts of the library that come
 * before the database. Counts attempts to acquire.
 */
final class LeaseNode implements AutoCloseable {

	private final LettuceConnectionFactory factory;

	private final RedisLeaseProvider provider;

	private final LeaseRenewer renewer;

	private final LeaseAcquirer acquirer;

	private final LongAdder attempts = new LongAdder();

	LeaseNode(int port, Duration leaseTime) {
		this.factory = new LettuceConnectionFactory("127.0.0.1", port);
		this.factory.afterPropertiesSet();
		this.factory.start();
		this.provider = new RedisLeaseProvider(this.factory, new RedisLeaseSettings("load", true));
		LeaseSettings settings = new LeaseSettings(leaseTime, Duration.ofMinutes(5), null, null);
		LeaseProvider counting = new Counting(this.provider);
		this.renewer = new LeaseRenewer(counting, settings);
		this.acquirer = new LeaseAcquirer(counting, this.renewer, settings, new HeldLeases());
	}

	LeaseAcquirer acquirer() {
		return this.acquirer;
	}

	long attempts() {
		return this.attempts.sum();
	}

	@Override
	public void close() {
		this.renewer.close();
		this.provider.close();
		this.factory.destroy();
	}

	private final class Counting implements LeaseProvider {

		private final LeaseProvider delegate;

		Counting(LeaseProvider delegate) {
			this.delegate = delegate;
		}

		@Override
		public String name() {
			return this.delegate.name();
		}

		@Override
		public LeaseAttempt acquire(LeaseRequest request) {
			LeaseNode.this.attempts.increment();
			return this.delegate.acquire(request);
		}

		@Override
		public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
			return this.delegate.renew(extensions);
		}

		@Override
		public boolean release(Lease lease, Duration blockedFor) {
			return this.delegate.release(lease, blockedFor);
		}

		@Override
		public @Nullable Lease heal(Lease lease, long aboveGeneration) {
			return this.delegate.heal(lease, aboveGeneration);
		}

		@Override
		public void raise(String resource, long aboveGeneration) {
			this.delegate.raise(resource, aboveGeneration);
		}

		@Override
		public @Nullable LeaseState find(String resource) {
			return this.delegate.find(resource);
		}

		@Override
		public ReleaseWatch watch(String resource, Runnable mayBeFree) {
			return this.delegate.watch(resource, mayBeFree);
		}

	}

}
