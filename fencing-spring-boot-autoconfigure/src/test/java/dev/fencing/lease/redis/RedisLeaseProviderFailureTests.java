package dev.fencing.lease.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.Renewals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RedisLeaseProvider} on a Redis that fails, each on one of its own.
 */
class RedisLeaseProviderFailureTests {

	private static final String COUNTER = "{fencing}:counter";

	private static final Duration LEASE_TIME = Duration.ofSeconds(30);

	private static final Duration PATIENT = Duration.ofSeconds(10);

	private static final Duration IMPATIENT = Duration.ofMillis(50);

	private static final long PAUSE_MILLIS = 1000;

	private RedisFixture redis;

	private RedisLeaseProvider provider;

	private Lease held;

	@BeforeEach
	void takeALease() {
		this.redis = new RedisFixture();
		this.provider = this.redis.provider(RedisFixture.SETTINGS);
		this.held = acquire("held", "h");
	}

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void acquisitionThatIsNotAnsweredInTimeIsGivenBack() {
		this.provider.release(this.held);
		this.redis.raw().clientPause(PAUSE_MILLIS);
		assertAcquireFails(IMPATIENT).withMessageContaining("no answer in time")
			.withMessageContaining("'{fencing}:lease:document:42'");
		// Comes after the others on the same connection
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.redis.raw().get(COUNTER)).as("Redis did grant it").isEqualTo("2");
	}

	@Test
	void acquisitionThatIsNotAnsweredInTimeIsNotSentAgainWithItsText() {
		this.redis.raw().scriptFlush();
		this.redis.raw().clientPause(PAUSE_MILLIS);
		assertAcquireFails(IMPATIENT).withMessageContaining("no answer in time");
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.redis.raw().get(COUNTER)).as("Redis did not grant it").isEqualTo("1");
	}

	@Test
	void interruptedAcquisitionIsGivenBack() {
		this.redis.raw().clientPause(PAUSE_MILLIS);
		AtomicBoolean stillInterrupted = new AtomicBoolean();
		Thread thread = new Thread(() -> {
			assertAcquireFails(PATIENT).withMessageContaining("interrupted");
			stillInterrupted.set(Thread.currentThread().isInterrupted());
		});
		thread.start();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		thread.interrupt();
		await().untilTrue(stillInterrupted);
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void acquisitionOfAnInterruptedThreadFails() {
		this.redis.raw().clientPause(PAUSE_MILLIS);
		Thread.currentThread().interrupt();
		assertAcquireFails(PATIENT).withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void interruptedThreadReleases() {
		Thread.currentThread().interrupt();
		assertThat(this.provider.release(this.held)).isTrue();
		assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
	}

	@Test
	void replicaGrantsNothing() {
		this.redis.raw().replicaof("127.0.0.1", 1);
		assertAcquireFails(PATIENT).withMessageContaining("READONLY").withMessageContaining("connect to the primary");
		assertRenewalFails("READONLY");
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.release(this.held));
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.heal(this.held, 10));
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.raise("held", 10));
		this.redis.raw().replicaofNoOne();
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.redis.raw().get(COUNTER)).isEqualTo("1");
		assertThat(this.provider.release(this.held)).isTrue();
	}

	@Test
	void redisWithoutMemoryGrantsNothing() {
		this.redis.raw().configSet("maxmemory", "1");
		assertAcquireFails(PATIENT).withMessageContaining("OOM").withMessageContaining("maxmemory");
		this.redis.raw().configSet("maxmemory", "0");
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.redis.raw().get(COUNTER)).isEqualTo("1");
	}

	@Test
	void redisThatWantsAnotherPasswordIsNamedWithoutIt() {
		this.redis.raw().configSet("requirepass", "the-right-one");
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1",
				this.redis.server().port());
		configuration.setPassword("the-wrong-one");
		this.provider = this.redis.provider(RedisFixture.factory(configuration), RedisFixture.SETTINGS);
		assertAcquireFails(PATIENT).withMessageContaining("WRONGPASS")
			.withMessageContaining("127.0.0.1:" + this.redis.server().port())
			.matches((ex) -> !String.valueOf(ex.getMessage()).contains("-one"));
	}

	@Test
	void redisThatIsNotThereIsNamed() {
		this.redis.server().stop();
		this.provider = this.redis.provider(RedisFixture.SETTINGS);
		String where = "127.0.0.1:" + this.redis.server().port();
		assertAcquireFails(PATIENT).withMessageContaining(where)
			.withMessageContaining("Connection refused")
			.withMessageContaining("Is it running");
		assertRenewalFails(where);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.release(this.held))
			.withMessageContaining(where);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.find("document:42"))
			.withMessageContaining(where);
	}

	@Test
	void redisThatComesUpLaterIsUsed() {
		this.redis.server().stop();
		this.provider = this.redis.provider(RedisFixture.SETTINGS);
		assertAcquireFails(PATIENT);
		this.redis.server().start();
		assertThat(acquire("document:42", "a")).isNotNull();
	}

	@Test
	void redisThatGoesAwayAndComesBackIsUsedAgain() {
		this.provider = this.redis.provider(RedisFixture.CLOCK_FLOOR);
		Lease before = acquire("document:42", "before");
		this.redis.server().stop();
		assertAcquireFails(Duration.ofMillis(200));
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> Renewals.renew(this.provider, before, Duration.ofMillis(200)))
			.withCauseInstanceOf(LeaseProviderException.class);
		this.redis.server().start();
		Lease after = await().ignoreExceptions().until(() -> acquire("document:42", "after"), Objects::nonNull);
		assertThat(after.generation()).isGreaterThan(before.generation());
		assertThat(Renewals.renew(this.provider, before, LEASE_TIME))
			.isEqualTo(new RenewalAnswer.Taken(after.generation()));
		assertThat(this.provider.release(new Lease("document:42", "after", 0))).isTrue();
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void factoryThatDoesNotRunIsNamed() {
		LettuceConnectionFactory factory = this.redis.factory();
		this.provider = new RedisLeaseProvider(factory, RedisFixture.SETTINGS);
		assertAcquireFails(PATIENT).withMessageContaining("start()");
		factory.afterPropertiesSet();
		factory.start();
		assertThat(acquire("document:42", "a")).isNotNull();
		factory.destroy();
		assertAcquireFails(PATIENT);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.release(this.held));
	}

	@Test
	void factoryThatIsPausedAndResumedIsUsedAgain() {
		LettuceConnectionFactory factory = this.redis.factory();
		this.provider = this.redis.provider(factory, RedisFixture.SETTINGS);
		Lease lease = acquire("document:42", "a");
		factory.stop();
		assertAcquireFails(PATIENT);
		factory.start();
		assertThat(this.provider.release(lease)).isTrue();
	}

	@Test
	void nobodyWaitsLongerThanWantedForARedisThatNeverAnswers() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			this.provider = this.redis.provider(RedisFixture.factory(silent.getLocalPort()), RedisFixture.SETTINGS);
			CompletableFuture<?> renewal = Renewals.send(this.provider, this.held, LEASE_TIME);
			assertThat(renewal).isNotDone();
			long start = System.nanoTime();
			assertAllFail(20, Duration.ofMillis(100));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().equals("fencing-redis-connect"))
				.hasSize(1);
		}
	}

	private void assertAllFail(int threads, Duration timeout) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Callable<LeaseAttempt>> attempts = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				LeaseRequest request = new LeaseRequest("document:42", "n" + i, LEASE_TIME, timeout);
				attempts.add(() -> this.provider.acquire(request));
			}
			for (Future<LeaseAttempt> attempt : executor.invokeAll(attempts)) {
				assertThat(attempt).failsWithin(Duration.ZERO)
					.withThrowableThat()
					.withCauseInstanceOf(LeaseProviderException.class);
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void connectionThatOpensTooLateSendsNothing() throws IOException {
		this.provider.release(this.held);
		// Connecting takes until the pause is over, since Redis then answers the greeting
		this.provider = this.redis.provider(RedisFixture.SETTINGS);
		this.redis.raw().clientPause(PAUSE_MILLIS);
		assertAcquireFails(IMPATIENT);
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.redis.raw().get(COUNTER)).isEqualTo("1");
	}

	private Lease acquire(String resource, String nonce) {
		LeaseAttempt attempt = this.provider.acquire(new LeaseRequest(resource, nonce, LEASE_TIME, PATIENT));
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		return ((LeaseAttempt.Granted) attempt).lease();
	}

	private ThrowableAssertAlternative<LeaseProviderException> assertAcquireFails(Duration timeout) {
		LeaseRequest request = new LeaseRequest("document:42", "a", LEASE_TIME, timeout);
		return assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.acquire(request))
			.withMessageStartingWith("Could not acquire")
			.matches((ex) -> ex.getCause() != null);
	}

	private void assertRenewalFails(String message) {
		CompletableFuture<?> renewal = Renewals.send(this.provider, this.held, LEASE_TIME);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(renewal::join)
			.havingCause()
			.isInstanceOf(LeaseProviderException.class)
			.withMessageContaining(message);
	}

}
