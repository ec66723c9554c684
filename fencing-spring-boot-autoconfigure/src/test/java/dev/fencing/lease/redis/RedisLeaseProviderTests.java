package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.FencingTokens;
import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.test.provider.LeaseProviderConformanceTests;
import dev.fencing.testsupport.Renewals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RedisLeaseProvider} on a healthy Redis.
 */
class RedisLeaseProviderTests extends LeaseProviderConformanceTests {

	private static final String COUNTER = "{fencing}:counter";

	private static final String LEASE = "{fencing}:lease:document:42";

	private static RedisFixture redis;

	private static RedisLeaseProvider provider;

	private static RedisLeaseProvider clockFloor;

	@BeforeAll
	static void start() {
		redis = new RedisFixture();
		provider = redis.provider(RedisFixture.SETTINGS);
		clockFloor = redis.provider(RedisFixture.CLOCK_FLOOR);
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@AfterEach
	void flush() {
		redis.raw().flushall();
	}

	@Override
	protected LeaseProvider provider(boolean withClockFloor) {
		return withClockFloor ? clockFloor : provider;
	}

	@Override
	protected void runOut(String resource) {
		String key = "{fencing}:lease:" + resource;
		assertThat(redis.raw().pexpire(key, 1)).isTrue();
		await().until(() -> redis.raw().exists(key) == 0);
	}

	@Test
	void saysWhatItIs() {
		assertThat(provider.name()).isEqualTo("redis");
	}

	@Test
	void leaseIsAStringWithATimeToLive() {
		acquire("document:42", "a");
		assertThat(redis.keys()).containsExactlyInAnyOrder(COUNTER, LEASE);
		assertThat(redis.raw().get(LEASE)).isEqualTo("1:a");
		assertThat(redis.raw().pttl(LEASE)).isBetween(1L, LEASE_TIME.toMillis());
		assertThat(redis.raw().get(COUNTER)).isEqualTo("1");
		assertThat(redis.raw().pttl(COUNTER)).as("no time to live").isEqualTo(-1);
	}

	@Test
	void resourceIsUtf8() {
		acquire("größe:日本", "a");
		assertThat(redis.raw().get("{fencing}:lease:größe:日本")).isEqualTo("1:a");
	}

	@Test
	void partOfAMillisecondIsRoundedUp() {
		provider.acquire(request("document:42", "a", Duration.ofSeconds(5)));
		Renewals.renew(provider, new Lease("document:42", "a", 1), Duration.ofMillis(60_000).plusNanos(1));
		assertThat(redis.raw().pttl(LEASE)).isGreaterThan(50_000);
		// Rounded down, Redis would refuse it
		assertThat(provider.acquire(request("document:43", "b", Duration.ofNanos(1))))
			.isInstanceOf(LeaseAttempt.Granted.class);
	}

	@Test
	void namespacesAreApart() {
		Lease lease = acquire("document:42", "a");
		RedisLeaseProvider other = redis.provider(new RedisLeaseSettings("other", false));
		assertThat(granted(other.acquire(request("document:42", "b", LEASE_TIME))).generation()).isOne();
		assertThat(provider.release(lease)).isTrue();
		assertThat(other.find("document:42")).isNotNull();
	}

	@Test
	void severalInstancesShareLeases() {
		acquire("document:42", "a");
		assertThat(clockFloor.acquire(request("document:42", "b", LEASE_TIME))).isInstanceOf(LeaseAttempt.Held.class);
	}

	@Test
	void lostCounterDoesNotStartAgainWithTheClockFloor() {
		long last = granted(clockFloor.acquire(request("document:1", "a", LEASE_TIME))).generation();
		redis.raw().del(COUNTER);
		last = assertGreater(last, "document:2", "b");
		redis.raw().flushall();
		last = assertGreater(last, "document:1", "c");
		redis.raw().pexpire(COUNTER, 1);
		await().until(() -> redis.raw().exists(COUNTER) == 0);
		assertGreater(last, "document:2", "d");
	}

	private long assertGreater(long last, String resource, String nonce) {
		// Within one millisecond the clock may give the same number, as any clock floor
		await().pollDelay(Duration.ZERO).until(() -> System.currentTimeMillis() > last);
		long next = granted(clockFloor.acquire(request(resource, nonce, LEASE_TIME))).generation();
		assertThat(next).isGreaterThan(last);
		return next;
	}

	@Test
	void timeToLiveThatSomebodyGaveTheCounterIsGone() {
		acquire("document:42", "a");
		redis.raw().expire(COUNTER, 60);
		acquire("document:43", "b");
		assertThat(redis.raw().pttl(COUNTER)).isEqualTo(-1);
		redis.raw().expire(COUNTER, 60);
		provider.heal(new Lease("document:42", "a", 1), 10);
		assertThat(redis.raw().pttl(COUNTER)).isEqualTo(-1);
	}

	@Test
	void healingHasTheClockFloor() {
		Lease lease = acquire("document:42", "a");
		long before = System.currentTimeMillis();
		Lease healed = clockFloor.heal(lease, 10);
		assertThat(healed).isNotNull();
		assertThat(healed.generation()).isBetween(before, System.currentTimeMillis());
		assertThat(redis.raw().get(COUNTER)).isEqualTo(Long.toString(healed.generation()));
	}

	@Test
	void lostLeaseIsNotRecreated() {
		Lease lease = acquire("document:42", "a");
		redis.raw().flushall();
		assertThat(Renewals.renew(provider, lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Gone());
		assertThat(provider.heal(lease, 1)).isNull();
		assertThat(provider.release(lease)).isFalse();
		assertThat(redis.raw().dbsize()).isZero();
	}

	@Test
	void generationThatNoneOfUsHasGivenOutIsNoKnownSuccessor() {
		Lease lease = acquire("document:42", "a");
		redis.raw().setex(LEASE, 60, "9".repeat(30) + ":somebody");
		assertThat(Renewals.renew(provider, lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Taken(0));
		redis.raw().setex(LEASE, 60, Long.MAX_VALUE + ":somebody");
		assertThat(Renewals.renew(provider, lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Taken(0));
	}

	@Test
	void eachScriptIsLoadedWhenRedisDoesNotKnowIt() {
		redis.raw().scriptFlush();
		Lease lease = acquire("document:42", "a");
		redis.raw().scriptFlush();
		assertThat(Renewals.renew(provider, lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Renewed());
		redis.raw().scriptFlush();
		Lease healed = provider.heal(lease, 10);
		assertThat(healed).isEqualTo(new Lease("document:42", "a", 11));
		redis.raw().scriptFlush();
		provider.raise("document:42", 100);
		redis.raw().scriptFlush();
		assertThat(provider.find("document:42")).isNotNull();
		redis.raw().scriptFlush();
		assertThat(provider.release(healed)).isTrue();
		assertThat(acquire("document:42", "b").generation()).isEqualTo(101);
	}

	@Test
	void everyOperationIsOneCommand() {
		Lease lease = acquire("document:42", "a");
		provider.release(lease);
		redis.raw().configResetstat();
		lease = acquire("document:42", "b");
		provider.release(lease);
		assertThat(redis.raw().info("commandstats")).contains("cmdstat_evalsha:calls=2,")
			.doesNotContain("cmdstat_eval:", "cmdstat_script");
	}

	@Test
	void nothingPilesUp() {
		int connections = connections();
		for (int i = 0; i < 2_000; i++) {
			provider.release(acquire("document:" + i, "n" + i));
		}
		assertThat(redis.keys()).containsExactly(COUNTER);
		// One of a test before may have gone meanwhile
		assertThat(connections()).isLessThanOrEqualTo(connections);
	}

	private static int connections() {
		return redis.raw().clientList().split("\n").length;
	}

	@ParameterizedTest
	@ValueSource(strings = { "seven", "-1", "1.5", "1e3", "", " 1", "0x1", "9223372036853", "99999999999999999999999" })
	void counterThatCannotCountIsNamed(String value) {
		Lease lease = acquire("document:1", "a");
		redis.raw().set(COUNTER, value);
		assertUnusable(COUNTER, () -> provider.acquire(request("document:42", "b", LEASE_TIME)));
		assertUnusable(COUNTER, () -> clockFloor.acquire(request("document:42", "b", LEASE_TIME)));
		assertUnusable(COUNTER, () -> provider.heal(lease, 10));
		assertThat(redis.raw().get(COUNTER)).isEqualTo(value);
		assertThat(redis.raw().exists(LEASE)).isZero();
		assertThat(provider.release(lease)).isTrue();
	}

	@Test
	void counterOfAnotherTypeIsNamed() {
		redis.raw().hset(COUNTER, "field", "value");
		assertUnusable(COUNTER, () -> provider.acquire(request("document:42", "a", LEASE_TIME)));
		assertUnusable(COUNTER, () -> provider.raise("document:42", 10));
		assertThat(redis.raw().exists(LEASE)).isZero();
	}

	@Test
	void markThatCannotBeExceededIsToldWithTheCounter() {
		assertUnusable(COUNTER, () -> provider.raise("document:42", FencingTokens.MAX_GENERATION));
		assertThat(redis.raw().exists(COUNTER)).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "1", "1:", ":a", "x:a", "-1:a", "1:a:b" })
	void leaseKeyOfAnotherApplicationIsNamed(String value) {
		redis.raw().setex(LEASE, 60, value);
		assertUnusable(LEASE, () -> provider.acquire(request("document:42", "a", LEASE_TIME)));
		assertUnusable(LEASE, () -> provider.find("document:42"));
		assertThat(provider.release(new Lease("document:42", "a", 1))).isFalse();
		assertThat(provider.heal(new Lease("document:42", "a", 1), 10)).isNull();
		assertThat(redis.raw().get(LEASE)).isEqualTo(value);
		assertThat(redis.raw().exists(COUNTER)).isZero();
	}

	@Test
	void leaseKeyOfAnotherTypeIsNamed() {
		redis.raw().hset(LEASE, "field", "value");
		assertUnusable(LEASE, () -> provider.acquire(request("document:42", "a", LEASE_TIME)));
		assertUnusable(LEASE, () -> provider.find("document:42"));
		Lease lease = new Lease("document:42", "a", 1);
		assertThat(Renewals.renew(provider, lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Gone());
		assertThat(provider.release(lease)).isFalse();
		assertThat(provider.heal(lease, 10)).isNull();
		assertThat(redis.raw().hget(LEASE, "field")).isEqualTo("value");
	}

	@Test
	void leaseWithoutATimeToLiveIsNamed() {
		acquire("document:42", "a");
		redis.raw().persist(LEASE);
		assertUnusable(LEASE, () -> provider.acquire(request("document:42", "a", LEASE_TIME)));
		assertUnusable(LEASE, () -> provider.acquire(request("document:42", "b", LEASE_TIME)));
		assertUnusable(LEASE, () -> provider.find("document:42"));
	}

	@Test
	void generationBeyondAllNumbersIsNamed() {
		redis.raw().setex(LEASE, 60, "99999999999999999999999:a");
		assertUnusable(LEASE, () -> provider.find("document:42"));
		assertUnusable(LEASE, () -> provider.acquire(request("document:42", "a", LEASE_TIME)));
	}

	private static void assertUnusable(String key, Runnable action) {
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(action::run)
			.withMessageContaining("'" + key + "'");
	}

	@Test
	void shortestLeaseRunsOut() {
		LeaseAttempt attempt = provider.acquire(new LeaseRequest("document:42", "a", Duration.ofMillis(20), TIMEOUT));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		await().atMost(5, TimeUnit.SECONDS).until(() -> provider.find("document:42") == null);
	}

}
