package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.ReleaseWatch;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.Renewals;

import static dev.fencing.lease.redis.RedisFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

/**
 * Tests for {@link RedisLeaseProvider} on a cluster. A single node refuses keys of
 * different slots as several do.
 */
class RedisLeaseProviderClusterTests {

	private static RedisFixture redis;

	private static RedisLeaseProvider provider;

	@BeforeAll
	static void start() {
		redis = new RedisFixture("cluster-enabled yes", "cluster-config-file nodes-" + UUID.randomUUID() + ".conf");
		redis.raw().clusterAddSlots(IntStream.range(0, SlotHash.SLOT_COUNT).toArray());
		await().until(() -> redis.raw().clusterInfo().contains("cluster_state:ok"));
		provider = redis.provider(
				RedisFixture.factory(new RedisClusterConfiguration(List.of("127.0.0.1:" + redis.server().port()))),
				RedisFixture.SETTINGS);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Test
	void nodeRefusesKeysOfDifferentSlots() {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> redis.raw().mget("a", "b"))
			.withMessageContaining("CROSSSLOT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "order:17", "a{b}c", "{}", "x}{y", "", "größe:日本" })
	void anyResourceIsLeased(String resource) {
		redis.raw().scriptFlush();
		LeaseAttempt attempt = provider.acquire(new LeaseRequest(resource, "a", TIMEOUT, TIMEOUT));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		Lease lease = ((LeaseAttempt.Granted) attempt).lease();
		assertThat(Renewals.renew(provider, lease, Duration.ofMinutes(1))).isEqualTo(new RenewalAnswer.Renewed());
		Lease healed = provider.heal(lease, lease.generation());
		assertThat(healed).isEqualTo(new Lease(resource, "a", lease.generation() + 1));
		provider.raise(resource, lease.generation() + 10);
		assertThat(provider.find(resource)).extracting(LeaseState::lease).isEqualTo(healed);
		assertThat(provider.release(healed)).isTrue();
	}

	@Test
	void severalResourcesAreLeasedAndTheirReleaseIsTold() {
		List<String> resources = List.of("order:17", "a{b}c", "x}{y");
		LeaseAttempt attempt = provider.acquire(new LeaseRequest(resources, "b", TIMEOUT, TIMEOUT, null));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		Lease lease = ((LeaseAttempt.Granted) attempt).lease();
		AtomicInteger told = new AtomicInteger();
		try (ReleaseWatch watch = provider.watch("a{b}c", told::incrementAndGet)) {
			watch.ready().toCompletableFuture().join();
			int before = told.get();
			assertThat(provider.acquire(new LeaseRequest(List.of("a{b}c"), "c", TIMEOUT, TIMEOUT, "a{b}c")))
				.isInstanceOf(LeaseAttempt.Held.class);
			assertThat(Renewals.renew(provider, lease, Duration.ofMinutes(1))).isEqualTo(new RenewalAnswer.Renewed());
			assertThat(provider.release(lease)).isTrue();
			await().untilAtomic(told, greaterThan(before));
		}
	}

}
