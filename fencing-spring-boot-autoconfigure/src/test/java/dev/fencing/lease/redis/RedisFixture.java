package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.testsupport.RedisTestServer;

/**
 * A server, a client that looks at it from outside, and what has to be closed in the end.
 */
final class RedisFixture implements AutoCloseable {

	static final RedisLeaseSettings SETTINGS = new RedisLeaseSettings("fencing", false);

	static final RedisLeaseSettings CLOCK_FLOOR = new RedisLeaseSettings("fencing", true);

	static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final Deque<Runnable> closers = new ArrayDeque<>();

	private final RedisTestServer server;

	private final RedisCommands<String, String> raw;

	RedisFixture(String... serverSettings) {
		this.server = RedisTestServer.started(serverSettings);
		this.closers.push(this.server::close);
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", this.server.port()));
		this.closers.push(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
		this.raw = client.connect().sync();
	}

	RedisTestServer server() {
		return this.server;
	}

	/**
	 * Return the commands of a connection of its own.
	 */
	RedisCommands<String, String> raw() {
		return this.raw;
	}

	/**
	 * Return all keys. Not by KEYS, whose method is not the same in all versions of
	 * Lettuce.
	 */
	Set<String> keys() {
		Set<String> keys = new HashSet<>();
		ScanIterator.scan(this.raw).forEachRemaining(keys::add);
		return keys;
	}

	/**
	 * Return a provider over a started factory of its own.
	 */
	RedisLeaseProvider provider(RedisLeaseSettings settings) {
		return provider(factory(), settings);
	}

	RedisLeaseProvider provider(LettuceConnectionFactory factory, RedisLeaseSettings settings) {
		RedisLeaseProvider provider = new RedisLeaseProvider(started(factory), settings);
		this.closers.push(provider::close);
		return provider;
	}

	LettuceConnectionFactory factory() {
		return factory(this.server.port());
	}

	static LettuceConnectionFactory factory(int port) {
		return factory(new RedisStandaloneConfiguration("127.0.0.1", port));
	}

	static LettuceConnectionFactory factory(RedisConfiguration configuration) {
		return new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder()
					.commandTimeout(Duration.ofSeconds(5))
					.shutdownTimeout(Duration.ZERO)
					.build());
	}

	private LettuceConnectionFactory started(LettuceConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		this.closers.push(factory::destroy);
		return factory;
	}

	@Override
	public void close() {
		while (!this.closers.isEmpty()) {
			this.closers.pop().run();
		}
	}

}
