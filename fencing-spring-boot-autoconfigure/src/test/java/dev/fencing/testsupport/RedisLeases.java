package dev.fencing.testsupport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;

/**
 * Leases in a real Redis.
 */
public final class RedisLeases implements AutoCloseable {

	private final RedisTestServer server = RedisTestServer.started();

	private final LettuceConnectionFactory connections = new LettuceConnectionFactory(
			new RedisStandaloneConfiguration("127.0.0.1", this.server.port()),
			LettuceClientConfiguration.builder()
				.commandTimeout(Duration.ofSeconds(5))
				.shutdownTimeout(Duration.ZERO)
				.build());

	private final List<RedisLeaseProvider> providers = new ArrayList<>();

	public RedisLeases() {
		this.connections.afterPropertiesSet();
		this.connections.start();
	}

	/**
	 * Return a provider that has nothing in common with those before it.
	 */
	public LeaseProvider provider() {
		RedisLeaseSettings settings = new RedisLeaseSettings("fencing-" + this.providers.size(), false);
		RedisLeaseProvider provider = new RedisLeaseProvider(this.connections, settings);
		this.providers.add(provider);
		return provider;
	}

	/**
	 * Stop the server, with everything that was in it.
	 */
	public void stop() {
		this.server.stop();
	}

	@Override
	public void close() {
		this.providers.forEach(RedisLeaseProvider::close);
		this.connections.destroy();
		this.server.close();
	}

}
