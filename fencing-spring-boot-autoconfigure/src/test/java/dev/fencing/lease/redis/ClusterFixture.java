package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.IntStream;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.testsupport.RedisClusterTestServers;

/**
 * A cluster, and processes that lock over it with a number of partitions.
 */
final class ClusterFixture implements AutoCloseable {

	private final Deque<Runnable> closers = new ArrayDeque<>();

	private final RedisClusterTestServers cluster = RedisClusterTestServers.started();

	ClusterFixture() {
		this.closers.push(this.cluster::close);
	}

	RedisClusterTestServers cluster() {
		return this.cluster;
	}

	static RedisLeaseSettings settings(int partitions) {
		return RedisFixture.SETTINGS.withPartitions(partitions);
	}

	/**
	 * Return a provider over a started factory of its own.
	 */
	RedisLeaseProvider provider(int partitions) {
		LettuceConnectionFactory factory = RedisFixture.factory(new RedisClusterConfiguration(this.cluster.nodes()));
		factory.afterPropertiesSet();
		factory.start();
		this.closers.push(factory::destroy);
		RedisLeaseProvider provider = new RedisLeaseProvider(factory, settings(partitions));
		this.closers.push(provider::close);
		return provider;
	}

	LockingProcess process(int partitions, Duration leaseTime) {
		LockingProcess process = new LockingProcess(provider(partitions), leaseTime);
		this.closers.push(process::close);
		return process;
	}

	/**
	 * Return the number of the server that has the lease on a resource.
	 */
	int serverOf(String resource, int partitions) {
		return this.cluster.indexOf(new RedisKeys(settings(partitions)).lease(resource));
	}

	/**
	 * Return a key of the lock {@code order} whose lease is on the given server.
	 */
	int keyOn(int server, int partitions) {
		return IntStream.iterate(0, (key) -> key + 1)
			.filter((key) -> serverOf("order:" + key, partitions) == server)
			.findFirst()
			.orElseThrow();
	}

	@Override
	public void close() {
		while (!this.closers.isEmpty()) {
			this.closers.pop().run();
		}
	}

}
