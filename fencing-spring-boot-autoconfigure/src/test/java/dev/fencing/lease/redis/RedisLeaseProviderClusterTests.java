package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.ReleaseWatch;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.Renewals;

import static dev.fencing.lease.redis.RedisFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

/**
 * Tests for {@link RedisLeaseProvider} on a cluster.
 */
@Timeout(60)
class RedisLeaseProviderClusterTests {

	private static ClusterFixture fixture;

	private static RedisLeaseProvider undivided;

	private static RedisLeaseProvider divided;

	private static RedisLeaseProvider anotherProvider;

	@BeforeAll
	static void start() {
		fixture = new ClusterFixture();
		undivided = fixture.provider(1);
		divided = fixture.provider(8);
		anotherProvider = fixture.provider(8);
	}

	@AfterAll
	static void stop() {
		fixture.close();
	}

	@Test
	void clusterRefusesKeysOfDifferentSlots() {
		String other = IntStream.range(0, 1_000)
			.mapToObj(Integer::toString)
			.filter((key) -> fixture.cluster().indexOf(key) == fixture.cluster().indexOf("a")
					&& SlotHash.getSlot(key) != SlotHash.getSlot("a"))
			.findFirst()
			.orElseThrow();
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> fixture.cluster().raw(fixture.cluster().indexOf("a")).mget("a", other))
			.withMessageContaining("CROSSSLOT");
	}

	static Stream<Arguments> resources() {
		List<String> resources = List.of("order:17", "a{b}c", "{}", "x}{y", "", "größe:日本", "with two spaces",
				"{".repeat(100) + "}".repeat(100), "}:lease:x");
		return Stream.of(1, 8)
			.flatMap((partitions) -> resources.stream().map((resource) -> Arguments.of(resource, partitions)));
	}

	@ParameterizedTest
	@MethodSource("resources")
	void anyResourceIsLeasedAndItsReleaseIsTold(String resource, int partitions) {
		RedisLeaseProvider provider = (partitions == 1) ? undivided : divided;
		LeaseAttempt attempt = provider.acquire(new LeaseRequest(resource, "a", TIMEOUT, TIMEOUT));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		Lease lease = ((LeaseAttempt.Granted) attempt).lease();
		assertThat(Renewals.renew(provider, lease, Duration.ofMinutes(1))).isEqualTo(new RenewalAnswer.Renewed());
		Lease healed = provider.heal(lease, lease.generation());
		assertThat(healed).isEqualTo(new Lease(resource, "a", lease.generation() + 1));
		provider.raise(resource, lease.generation() + 10);
		assertThat(provider.find(resource)).extracting(LeaseState::lease).isEqualTo(healed);
		AtomicInteger told = new AtomicInteger();
		try (ReleaseWatch watch = provider.watch(resource, told::incrementAndGet)) {
			watch.ready().toCompletableFuture().join();
			int before = told.get();
			assertThat(provider.acquire(new LeaseRequest(List.of(resource), "b", TIMEOUT, TIMEOUT, resource)))
				.isInstanceOf(LeaseAttempt.Held.class)
				.extracting("resource")
				.isEqualTo(resource);
			assertThat(provider.release(healed)).isTrue();
			await().untilAtomic(told, greaterThan(before));
		}
		LeaseAttempt next = provider.acquire(new LeaseRequest(resource, "c", TIMEOUT, TIMEOUT));
		assertThat(((LeaseAttempt.Granted) next).lease().generation()).isEqualTo(lease.generation() + 11);
		assertThat(provider.release(((LeaseAttempt.Granted) next).lease())).isTrue();
	}

	@Test
	void partitionsAreSpreadOverTheServers() {
		assertThat(IntStream.range(0, 100).map((key) -> fixture.serverOf("order:" + key, 8)).distinct().boxed())
			.containsExactlyInAnyOrder(0, 1, 2);
		assertThat(IntStream.range(0, 100).map((key) -> fixture.serverOf("order:" + key, 1)).distinct().boxed())
			.hasSize(1);
	}

	/**
	 * The message is published at the server of the lease, and may have to reach a
	 * listener at another one.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void waiterInAnotherProcessIsServed(int server) throws Exception {
		try (LockingProcess waiter = new LockingProcess(divided, TIMEOUT);
				LockingProcess other = new LockingProcess(anotherProvider, TIMEOUT)) {
			LockRequest request = LockRequest.of("order").key(fixture.keyOn(server, 8));
			LeaseHold held = other.acquire(request);
			CompletableFuture<LeaseHold> waiting = waiter.acquiring(request);
			await().until(() -> waiter.awaited() == 1);
			assertThat(waiting).isNotDone();
			other.release(held);
			waiter.release(waiting.get(30, TimeUnit.SECONDS));
		}
	}

	@Test
	void severalResourcesAreLeasedUnderOneNumber() {
		List<String> resources = List.of("order:17", "a{b}c", "x}{y");
		LeaseAttempt attempt = undivided.acquire(new LeaseRequest(resources, "b", TIMEOUT, TIMEOUT, null));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		Lease lease = ((LeaseAttempt.Granted) attempt).lease();
		assertThat(Renewals.renew(undivided, lease, Duration.ofMinutes(1))).isEqualTo(new RenewalAnswer.Renewed());
		assertThat(undivided.release(lease)).isTrue();
	}

	@Test
	void severalResourcesOfPartitionsAreRefusedEvenWhereTheyWouldHaveOneNumber() {
		String neighbour = IntStream.range(1, 1_000)
			.mapToObj((key) -> "order:" + key)
			.filter((resource) -> divided.partition(resource) == divided.partition("order:0"))
			.findFirst()
			.orElseThrow();
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(
					() -> divided.acquire(new LeaseRequest(List.of("order:0", neighbour), "b", TIMEOUT, TIMEOUT, null)))
			.withMessageContaining("8 partitions (fencing.redis.partitions)")
			.withMessageContaining("Lock a single resource");
	}

	@Test
	void leasesOfAllPartitionsAreRenewedWhileTheyAreHeld() {
		try (LockingProcess process = new LockingProcess(divided, Duration.ofSeconds(3))) {
			List<LeaseHold> holds = IntStream.range(0, 24)
				.mapToObj((key) -> process.acquire(LockRequest.of("order").key(key)))
				.toList();
			await().atMost(Duration.ofSeconds(20)).until(() -> process.renewed() >= 2 * holds.size());
			assertThat(process.failed()).isZero();
			assertThat(process.lost()).isZero();
			holds.forEach(process::release);
		}
	}

	@Test
	void settingOfOneServerIsFoundWithItsName() {
		fixture.cluster().raw(1).configSet("maxmemory-policy", "allkeys-lru");
		fixture.cluster().raw(1).configSet("maxmemory", "100mb");
		DurabilityReport report = divided.durability(TIMEOUT);
		fixture.cluster().raw(1).configSet("maxmemory", "0");
		assertThat(report.error()).isNull();
		assertThat(report.findings()).extracting(DurabilityFinding::setting, DurabilityFinding::value)
			.containsExactlyInAnyOrder(tuple("appendonly", "no"),
					tuple("maxmemory-policy", "allkeys-lru at Redis 127.0.0.1:" + fixture.cluster().server(1).port()));
	}

}
