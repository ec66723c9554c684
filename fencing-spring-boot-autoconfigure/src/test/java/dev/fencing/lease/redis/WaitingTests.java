package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.ReleaseWatch;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for those who wait for a lease in Redis.
 */
@Timeout(90)
class WaitingTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private static final String KEY = "{fencing}:lease:document:42";

	private static final String WAITING = "{fencing}:waiting:document:42";

	private static final Duration LEASE_TIME = Duration.ofSeconds(30);

	/**
	 * Far less than it takes who only asks now and then.
	 */
	private static final Duration PROMPT = Duration.ofMillis(400);

	/**
	 * A busy machine is late now and then, and not every time.
	 */
	private static final int ROUNDS = 5;

	private final RedisFixture redis = new RedisFixture();

	private final CountingProvider counting = new CountingProvider(this.redis.provider(RedisFixture.SETTINGS));

	private final LockingProcess process = this.redis.process(this.counting, LEASE_TIME);

	private final LockingProcess other = this.redis.process(LEASE_TIME);

	private final AtomicReference<CompletableFuture<LeaseHold>> waiting = new AtomicReference<>();

	@BeforeEach
	void connect() {
		this.process.release(this.process.acquire(REQUEST));
		this.other.release(this.other.acquire(REQUEST));
	}

	@AfterEach
	void leaveNothingBehind() {
		await().untilAsserted(() -> assertThat(this.process.awaited()).isZero());
		assertThat(this.process.pending()).isZero();
		assertThat(this.counting.mostAtATime()).isOne();
		this.redis.close();
	}

	@Test
	void leaseOfACrashedHolderIsTakenWhenItIsOver() {
		// Also when nobody has subscribed yet
		assertPromptly(Duration.ofMillis(100), () -> crashedHolder(300), () -> this.process.acquire(REQUEST),
				this.process);
		assertPromptly(Duration.ofMillis(100), () -> crashedHolder(1700), () -> this.process.acquire(REQUEST),
				this.process);
	}

	@Test
	void leaseOfACrashedHolderIsTakenWhenItIsOverAlsoByWhoCannotListenYet() {
		LeaseProvider silent = new DelegatingLeaseProvider(this.counting) {

			@Override
			public ReleaseWatch watch(String resource, Runnable mayBeFree) {
				return new ReleaseWatch() {

					@Override
					public CompletionStage<?> ready() {
						return new CompletableFuture<>();
					}

					@Override
					public void close() {
						// Nothing is open
					}

				};
			}

		};
		LockingProcess waiting = this.redis.process(silent, LEASE_TIME);
		assertPromptly(Duration.ofMillis(100), () -> crashedHolder(300), () -> waiting.acquire(REQUEST), waiting);
	}

	private long crashedHolder(long millis) {
		this.redis.raw().psetex(KEY, millis, "1:crashed");
		return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
	}

	@Test
	void waiterIsWokenByTheRelease() {
		assertPromptly(PROMPT, () -> {
			LeaseHold holder = this.other.acquire(REQUEST);
			this.waiting.set(this.process.acquiring(REQUEST));
			awaitHeard();
			this.other.release(holder);
			return System.nanoTime();
		}, () -> this.waiting.get().join(), this.process);
	}

	@Test
	void waiterAsksSeldomWhileItListens() {
		LeaseHold holder = this.other.acquire(REQUEST);
		CompletableFuture<LeaseHold> waiting = this.process.acquiring(REQUEST);
		awaitHeard();
		int before = this.counting.attempts();
		long begin = System.nanoTime();
		await().until(() -> System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(3));
		assertThat(this.counting.attempts() - before).as("attempts in three seconds").isLessThanOrEqualTo(5);
		this.other.release(holder);
		this.process.release(waiting.join());
	}

	@Test
	void whoeverComesFirstIsFirst() throws Exception {
		LeaseHold holder = this.other.acquire(REQUEST);
		List<Integer> order = new CopyOnWriteArrayList<>();
		List<Thread> waiters = IntStream.range(0, 10).mapToObj((number) -> waiter(() -> {
			LeaseHold hold = this.process.acquire(REQUEST);
			order.add(number);
			this.process.release(hold);
		})).toList();
		this.other.release(holder);
		for (Thread waiter : waiters) {
			waiter.join(20_000);
		}
		assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
	}

	@Test
	void interruptedWaiterLeavesTheLine() throws Exception {
		LeaseHold holder = this.other.acquire(REQUEST);
		List<Integer> order = new CopyOnWriteArrayList<>();
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		List<Thread> waiters = IntStream.range(0, 4).mapToObj((number) -> waiter(() -> {
			try {
				LeaseHold hold = this.process.acquire(REQUEST);
				order.add(number);
				this.process.release(hold);
			}
			catch (LeaseUnavailableException ex) {
				failures.add(ex);
			}
		})).toList();
		// One in the middle, and the one who asks
		for (int number : new int[] { 2, 0 }) {
			waiters.get(number).interrupt();
			waiters.get(number).join(20_000);
		}
		assertThat(failures).hasSize(2);
		this.other.release(holder);
		for (Thread waiter : waiters) {
			waiter.join(20_000);
		}
		assertThat(order).containsExactly(1, 3);
	}

	@Test
	void waiterWithoutTimeDoesNotWaitForThoseAhead() {
		LeaseHold holder = this.other.acquire(REQUEST);
		CompletableFuture<LeaseHold> waiting = this.process.acquiring(REQUEST);
		awaitHeard();
		int before = this.counting.attempts();
		long begin = System.nanoTime();
		for (int i = 0; i < 50; i++) {
			assertThat(this.process.tryAcquire(REQUEST, Duration.ZERO)).isNull();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(1));
		assertThat(this.counting.attempts() - before).as("attempts, of the one ahead").isLessThanOrEqualTo(2);
		this.other.release(holder);
		this.process.release(waiting.join());
	}

	@Test
	void waitTimesAreKeptByEverybodyInTheLine() {
		LeaseHold holder = this.other.acquire(REQUEST);
		List<Duration> excesses = new CopyOnWriteArrayList<>();
		List<CompletableFuture<Void>> waiting = new ArrayList<>();
		for (int i = 1; i <= 20; i++) {
			// The longest first, so that all are left by those behind them
			Duration waitTime = Duration.ofMillis(2200 - 100 * i);
			waiting.add(CompletableFuture.runAsync(() -> {
				long begin = System.nanoTime();
				assertThat(this.process.tryAcquire(REQUEST, waitTime)).isNull();
				Duration waited = Duration.ofNanos(System.nanoTime() - begin);
				assertThat(waited).isGreaterThanOrEqualTo(waitTime);
				Duration allowed = Duration.ofMillis(Math.max(50, waitTime.toMillis() / 10));
				excesses.add(waited.minus(waitTime).minus(allowed));
			}, this.process.threads()));
		}
		waiting.forEach(CompletableFuture::join);
		// Most at least: a busy machine is late now and then
		assertThat(excesses).hasSize(20).filteredOn(Duration::isNegative).hasSizeGreaterThanOrEqualTo(15);
		this.other.release(holder);
	}

	@Test
	void brokenSubscriptionIsMadeAgainAndEverybodyAsks() {
		LeaseHold holder = this.other.acquire(REQUEST);
		this.waiting.set(this.process.acquiring(REQUEST));
		awaitHeard();
		int before = this.counting.attempts();
		assertThat(this.redis.raw().clientKill(KillArgs.Builder.typePubsub())).isOne();
		await().pollInterval(Duration.ofMillis(5)).until(() -> this.counting.attempts() > before);
		awaitHeard();
		this.other.release(holder);
		this.process.release(this.waiting.get().join());
		waiterIsWokenByTheRelease();
	}

	@Test
	void closingDoesNotWaitUntilTheSubscriptionHasBeenIdleLongEnough() {
		RedisLeaseProvider closing = this.redis.provider(RedisFixture.SETTINGS);
		LockingProcess waiter = this.redis.process(closing, LEASE_TIME);
		LeaseHold holder = this.other.acquire(REQUEST);
		this.waiting.set(waiter.acquiring(REQUEST));
		awaitHeard();
		this.other.release(holder);
		waiter.release(this.waiting.get().join());
		long begin = System.nanoTime();
		closing.close();
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(900));
		assertThat(this.redis.raw().pubsubChannels()).isEmpty();
	}

	@Test
	void whoMayNotListenWaitsAllTheSame() {
		LockingProcess plain = plainUser();
		plain.release(plain.acquire(REQUEST));
		long connections = this.redis.connectionsReceived();
		assertPromptly(PROMPT, () -> {
			LeaseHold holder = this.other.acquire(REQUEST);
			this.waiting.set(plain.acquiring(REQUEST));
			await().until(() -> plain.awaited() == 1);
			long begin = System.nanoTime();
			await().until(() -> System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(2));
			this.other.release(holder);
			return System.nanoTime();
		}, () -> this.waiting.get().join(), plain);
		assertThat(this.redis.connectionsReceived() - connections).as("attempts to listen").isLessThan(10);
	}

	@Test
	void whoMayNotTellReleasesAllTheSame() {
		LockingProcess plain = plainUser();
		LeaseHold holder = plain.acquire(REQUEST);
		this.waiting.set(this.process.acquiring(REQUEST));
		awaitHeard();
		plain.release(holder);
		// It asks once a second
		LeaseHold hold = this.waiting.get().orTimeout(10, TimeUnit.SECONDS).join();
		this.process.release(hold);
	}

	private LockingProcess plainUser() {
		this.redis.raw()
			.aclSetuser("plain",
					AclSetuserArgs.Builder.on()
						.addPassword("secret")
						.allKeys()
						.allCommands()
						.resetChannels()
						.removeCommand(CommandType.PUBLISH)
						.removeCommand(CommandType.SUBSCRIBE));
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1",
				this.redis.server().port());
		configuration.setUsername("plain");
		configuration.setPassword("secret");
		return this.redis.process(this.redis.provider(RedisFixture.factory(configuration), RedisFixture.SETTINGS),
				LEASE_TIME);
	}

	@Test
	void redisThatDoesNotAnswerIsGivenUpAfterTheTimeForAnAnswer() {
		TcpProxy network = this.redis.proxy();
		LockingProcess cutOff = this.redis.process(network, LEASE_TIME);
		cutOff.release(cutOff.acquire(REQUEST));
		network.hold(Direction.REQUESTS);
		long begin = System.nanoTime();
		List<CompletableFuture<Object>> waiting = IntStream.range(0, 3)
			.mapToObj((number) -> CompletableFuture
				.<Object>supplyAsync(() -> cutOff.tryAcquire(REQUEST, Duration.ofMillis(200)), cutOff.threads()))
			.toList();
		assertThat(waiting).allSatisfy((one) -> assertThat(one).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(LeaseProviderException.class));
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofMillis(4900),
				Duration.ofMillis(6500));
		network.letGo(Direction.REQUESTS);
		await().untilAsserted(() -> assertThat(this.redis.raw().get(KEY)).isNull());
		assertThat(cutOff.awaited()).isZero();
		assertThat(cutOff.pending()).isZero();
	}

	/**
	 * Start a thread, and see that it waits behind those before it.
	 */
	private static Thread waiter(Runnable task) {
		Thread thread = new Thread(task);
		thread.start();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING
				&& Arrays.stream(thread.getStackTrace()).anyMatch((frame) -> frame.getClassName().endsWith(".Waiter")));
		return thread;
	}

	/**
	 * Wait until whoever waits listens, and has said so.
	 */
	private void awaitHeard() {
		await().pollInterval(Duration.ofMillis(5)).until(() -> this.redis.raw().exists(WAITING) == 1);
	}

	/**
	 * Have a lease become free and taken, and see that it was taken promptly.
	 */
	private void assertPromptly(Duration limit, LongSupplier becomesFree, Supplier<LeaseHold> taken,
			LockingProcess taker) {
		List<Duration> delays = new ArrayList<>();
		do {
			long free = becomesFree.getAsLong();
			LeaseHold hold = Objects.requireNonNull(taken.get());
			delays.add(Duration.ofNanos(System.nanoTime() - free));
			taker.release(hold);
		}
		while (delays.get(delays.size() - 1).compareTo(limit) > 0 && delays.size() < ROUNDS);
		assertThat(delays).as("delays").anyMatch((delay) -> delay.compareTo(limit) <= 0);
	}

}
