package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseHold;
import dev.fencing.testsupport.TcpProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for what many short leases leave behind: nothing but the counter.
 */
@Timeout(120)
class ManyRoundsTests {

	private static final Duration LEASE_TIME = Duration.ofMillis(50);

	private static final int THREADS = 32;

	private static final String COUNTER = "{fencing}:counter";

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy network = this.redis.proxy();

	/**
	 * How many have each resource at this moment.
	 */
	private final AtomicIntegerArray owners = new AtomicIntegerArray(THREADS);

	private final AtomicInteger failures = new AtomicInteger();

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void roundsWithJitterLeaveNothingBehind() {
		Set<Thread> before = threads();
		RedisLeaseProvider provider = this.redis.provider(RedisFixture.factory(this.network.port()),
				RedisFixture.SETTINGS);
		LockingProcess process = this.redis.process(provider, LEASE_TIME);
		process.release(process.acquire(LockRequest.of("document")));
		this.network.jitter(Duration.ofMillis(2));
		int rounds = 20_000;
		// Two for each resource, so that there are waiters
		int granted = run(process, rounds, THREADS / 2);
		assertThat(granted).isGreaterThan(rounds * 9 / 10);
		assertNothingIsLeft(process);
		process.close();
		provider.close();
		await().untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
	}

	@Test
	void roundsWithTimeoutsLeaveNothingBehind() {
		LettuceClientConfiguration impatient = LettuceClientConfiguration.builder()
			.commandTimeout(Duration.ofMillis(8))
			.clientOptions(ClientOptions.builder().timeoutOptions(TimeoutOptions.enabled()).build())
			.shutdownTimeout(Duration.ZERO)
			.build();
		LockingProcess process = this.redis
			.process(
					this.redis.provider(
							new LettuceConnectionFactory(
									new RedisStandaloneConfiguration("127.0.0.1", this.network.port()), impatient),
							RedisFixture.SETTINGS),
					LEASE_TIME);
		process.release(await().ignoreException(LeaseProviderException.class)
			.until(() -> process.acquire(LockRequest.of("document")), Objects::nonNull));
		this.network.jitter(Duration.ofMillis(6));
		int granted = run(process, 3_000, THREADS);
		assertThat(this.failures).as("attempts that timed out").hasPositiveValue();
		assertThat(granted).isPositive();
		this.network.jitter(Duration.ZERO);
		assertNothingIsLeft(process);
	}

	/**
	 * Acquire and release at once, again and again, on many threads.
	 * @return how often it was granted
	 */
	private int run(LockingProcess process, int rounds, int resources) {
		AtomicInteger granted = new AtomicInteger();
		List<CompletableFuture<Void>> running = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int number = i % resources;
			running.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < rounds / THREADS; round++) {
					runOnce(process, number, granted);
				}
			}, process.threads()));
		}
		running.forEach((one) -> one.orTimeout(100, TimeUnit.SECONDS).join());
		return granted.get();
	}

	private void runOnce(LockingProcess process, int number, AtomicInteger granted) {
		try {
			LeaseHold hold = process.tryAcquire(LockRequest.of("document").key(number), Duration.ofSeconds(10));
			if (hold != null) {
				granted.incrementAndGet();
				int now = this.owners.incrementAndGet(number);
				assertThat(now == 1 || hold.isLost()).as("nobody else has it").isTrue();
				this.owners.decrementAndGet(number);
				process.release(hold);
			}
		}
		catch (LeaseProviderException ex) {
			this.failures.incrementAndGet();
		}
	}

	private void assertNothingIsLeft(LockingProcess process) {
		assertThat(process.pending()).isZero();
		assertThat(process.awaited()).isZero();
		// Who waits is remembered for some seconds
		await().atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(this.redis.keys()).containsExactly(COUNTER));
		// So is that somebody waited lately
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
			assertThat(this.redis.raw().pubsubChannels()).isEmpty();
			assertThat(this.redis.raw().clientList()).doesNotContain("cmd=subscribe");
		});
	}

	/**
	 * Return the threads of ours, also those of applications that other tests keep.
	 */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("fencing-"))
			.collect(Collectors.toSet());
	}

}
