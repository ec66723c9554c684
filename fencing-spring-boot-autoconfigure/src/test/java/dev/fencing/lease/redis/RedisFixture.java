package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.RedisTestServer;
import dev.fencing.testsupport.TcpProxy;

import static org.awaitility.Awaitility.await;

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

	/**
	 * Let the server load data for a while, as it does when it starts. What it holds
	 * stays, and some keys more come and go.
	 * @return what ends when it is done
	 */
	CompletableFuture<String> load() {
		this.raw.configSet("dir", RedisFault.directoryWithDirectory("other").toString());
		this.raw.configSet("rdbcompression", "no");
		this.raw.configSet("key-load-delay", "200000");
		// It answers every two megabytes
		String value = "x".repeat(3_000_000);
		Map<String, String> ballast = IntStream.range(0, 15)
			.boxed()
			.collect(Collectors.toMap((i) -> "ballast:" + i, (i) -> value));
		this.raw.mset(ballast);
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", this.server.port()));
		StatefulRedisConnection<String, String> connection = client.connect();
		CompletableFuture<String> loaded = connection.async().debugReload().toCompletableFuture();
		await().until(() -> this.raw.info("persistence").contains("loading:1"));
		return loaded.whenComplete((answer, failure) -> {
			connection.async().del(ballast.keySet().toArray(String[]::new));
			client.shutdownAsync(0, 1000, TimeUnit.MILLISECONDS);
		});
	}

	/**
	 * Return how many connections were opened up to now.
	 */
	long connectionsReceived() {
		return this.raw.info("stats")
			.lines()
			.filter((line) -> line.startsWith("total_connections_received:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
			.sum();
	}

	/**
	 * Return a network to the server that can be broken.
	 */
	TcpProxy proxy() {
		TcpProxy proxy = TcpProxy.to(this.server.port());
		this.closers.push(proxy::close);
		return proxy;
	}

	/**
	 * Return a process that reaches the server directly.
	 */
	LockingProcess process(Duration leaseTime) {
		return process(this.server.port(), leaseTime);
	}

	/**
	 * Return a process that reaches the server over a network.
	 */
	LockingProcess process(TcpProxy network, Duration leaseTime) {
		return process(network.port(), leaseTime);
	}

	private LockingProcess process(int port, Duration leaseTime) {
		return process(provider(factory(port), SETTINGS), leaseTime);
	}

	LockingProcess process(LeaseProvider provider, Duration leaseTime) {
		LockingProcess process = new LockingProcess(provider, leaseTime);
		this.closers.push(process::close);
		return process;
	}

	LettuceConnectionFactory factory() {
		return factory(this.server.port());
	}

	static LettuceConnectionFactory factory(int port) {
		return factory(new RedisStandaloneConfiguration("127.0.0.1", port));
	}

	static LettuceConnectionFactory factory(RedisConfiguration configuration) {
		return factory(configuration, Duration.ofSeconds(5));
	}

	/**
	 * Return a factory whose client gives up each command after a time.
	 */
	static LettuceConnectionFactory factory(RedisConfiguration configuration, Duration commandTimeout) {
		return new LettuceConnectionFactory(configuration,
				LettuceClientConfiguration.builder()
					.commandTimeout(commandTimeout)
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
