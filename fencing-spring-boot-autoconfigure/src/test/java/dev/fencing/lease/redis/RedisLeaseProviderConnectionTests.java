package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.lettuce.core.KillArgs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.testsupport.Renewals;
import dev.fencing.testsupport.TcpProxy;

import static dev.fencing.lease.redis.RedisFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the connection of a {@link RedisLeaseProvider}, with the factory's shared one
 * and with sharing switched off.
 */
class RedisLeaseProviderConnectionTests {

	private RedisFixture redis;

	private LettuceConnectionFactory factory;

	private int before;

	@BeforeEach
	void start() {
		this.redis = new RedisFixture();
		this.factory = this.redis.factory();
		this.before = connections();
	}

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oneConnectionIsEnough(boolean shared) throws Exception {
		RedisLeaseProvider provider = provider(shared);
		assertThat(connections()).as("opened by the constructor").isEqualTo(this.before);
		ExecutorService executor = Executors.newFixedThreadPool(8);
		try {
			IntStream.range(0, 400).forEach((i) -> executor.submit(() -> {
				Lease lease = acquire(provider, "document:" + i);
				Renewals.renew(provider, lease, TIMEOUT);
				return provider.release(lease);
			}));
		}
		finally {
			executor.shutdown();
		}
		assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(connections()).isEqualTo(this.before + 1);
		assertThat(this.redis.keys()).containsExactly("{fencing}:counter");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionThatBreaksIsReplaced(boolean shared) {
		RedisLeaseProvider provider = provider(shared);
		Lease lease = acquire(provider, "document:42");
		for (int i = 0; i < 5; i++) {
			assertThat(this.redis.raw().clientKill(KillArgs.Builder.skipme())).isOne();
			await().ignoreExceptions().until(() -> provider.find("document:42") != null);
		}
		assertThat(provider.release(lease)).isTrue();
		assertThat(connections()).isEqualTo(this.before + 1);
	}

	@Test
	void connectionsThatAreReplacedAreGivenBack() {
		List<RedisConnection> given = new CopyOnWriteArrayList<>();
		this.factory = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.redis.server().port()),
				this.factory.getClientConfiguration()) {

			@Override
			public RedisConnection getConnection() {
				RedisConnection connection = super.getConnection();
				given.add(connection);
				return connection;
			}

		};
		RedisLeaseProvider provider = provider(false);
		acquire(provider, "document:42");
		this.redis.server().stop();
		// Refused once Lettuce has noticed and a new connection is asked for
		await().untilAsserted(() -> assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> provider.find("document:42"))
			.withMessageContaining("Connection refused"));
		this.redis.server().start();
		acquire(provider, "document:42");
		assertThat(given).hasSizeGreaterThan(2);
		RedisConnection last = given.remove(given.size() - 1);
		assertThat(last.isClosed()).isFalse();
		assertThat(given).allMatch(RedisConnection::isClosed);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void onlyItsOwnConnectionEndsWithTheProvider(boolean shared) {
		RedisLeaseProvider provider = provider(shared);
		acquire(provider, "document:42");
		assertThat(connections()).isEqualTo(this.before + 1);
		provider.close();
		await().until(() -> connections() == this.before + (shared ? 1 : 0));
		assertThat(this.factory.getConnection().ping()).isEqualTo("PONG");
	}

	/**
	 * Redis hangs, and the client would wait for it for a minute, as it does by default.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "rest", "close" })
	void connectionThatIsBeingOpenedDoesNotHoldUpTheFactory(String end) {
		TcpProxy network = this.redis.proxy();
		this.factory = RedisFixture.factory(new RedisStandaloneConfiguration("127.0.0.1", network.port()),
				Duration.ofMinutes(1));
		network.hold(TcpProxy.Direction.REPLIES);
		RedisLeaseProvider provider = provider(true);
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> provider.acquire(new LeaseRequest("document:42", "a", TIMEOUT, Duration.ofMillis(200))));
		long start = System.nanoTime();
		if (end.equals("rest")) {
			provider.rest();
		}
		else {
			provider.close();
		}
		this.factory.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
	}

	private RedisLeaseProvider provider(boolean shared) {
		this.factory.setShareNativeConnection(shared);
		return this.redis.provider(this.factory, RedisFixture.SETTINGS);
	}

	private static Lease acquire(RedisLeaseProvider provider, String resource) {
		LeaseAttempt attempt = provider.acquire(new LeaseRequest(resource, "a", TIMEOUT, TIMEOUT));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		return ((LeaseAttempt.Granted) attempt).lease();
	}

	private int connections() {
		return this.redis.raw().clientList().split("\n").length;
	}

}
