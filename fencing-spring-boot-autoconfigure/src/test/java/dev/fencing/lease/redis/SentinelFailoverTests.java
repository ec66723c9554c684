package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.LeaseHold;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.RedisSentinelTestServers;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for leases in a Redis that fails over to its replica, with and without what was
 * written last.
 */
@Timeout(60)
class SentinelFailoverTests {

	private static final LockRequest REQUEST = LockRequest.of("counter").waitTime(Duration.ofSeconds(20));

	private static final String KEY = "{fencing}:lease:counter";

	private static final Duration LEASE_TIME = Duration.ofSeconds(30);

	private static final Duration PROMPT = Duration.ofSeconds(12);

	private final Deque<Runnable> closers = new ArrayDeque<>();

	private final RedisSentinelTestServers servers = RedisSentinelTestServers.started();

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private final List<Rejection> regressions = new CopyOnWriteArrayList<>();

	private final FencingListener listener = new FencingListener() {

		@Override
		public void rejected(Rejection rejection) {
			SentinelFailoverTests.this.rejections.add(rejection);
		}

		@Override
		public void issuerRegressed(Rejection rejection) {
			SentinelFailoverTests.this.regressions.add(rejection);
		}

	};

	@AfterEach
	void stop() {
		while (!this.closers.isEmpty()) {
			this.closers.pop().run();
		}
		this.servers.close();
	}

	/**
	 * Without the clock floor the new primary gives out a number again, or a lower one.
	 */
	@ParameterizedTest
	@CsvSource({ "true, 1", "false, 1", "false, 3" })
	void ownerThatTheNewPrimaryDoesNotKnowIsRefusedByTheDatabase(boolean clockFloor, int grants) {
		RedisLeaseSettings settings = new RedisLeaseSettings("fencing", clockFloor);
		LockingProcess first = process(sentinel(), settings, LEASE_TIME);
		LockingProcess second = process(sentinel(), settings, LEASE_TIME);
		FencedStack stack = stack(second);
		this.servers.letReplicaLag();
		for (int i = 1; i < grants; i++) {
			first.release(first.acquire(REQUEST));
		}
		long[] successor = new long[1];
		first.locks(stack.registry(), this.listener).executeWithoutResult(REQUEST, (context) -> {
			add(stack, 1);
			this.servers.failOver();
			inTheOther(second,
					() -> second.locks(stack.registry(), this.listener).executeWithoutResult(REQUEST, (later) -> {
						successor[0] = later.generation();
						add(stack, 100);
					}));
			assertThat(successor[0]).isGreaterThan(context.generation());
			assertThat(this.rejections).as("what the successor was told")
				.isEqualTo(this.regressions)
				.hasSize(clockFloor ? 0 : 1)
				.allMatch((rejection) -> rejection.reason() == Rejection.Reason.REGRESSED);
			assertStale(stack);
		});
		second.locks(stack.registry(), this.listener).executeWithoutResult(REQUEST, (later) -> {
			assertThat(later.generation()).isGreaterThan(successor[0]);
			add(stack, 1000);
		});
		assertThat(stack.counter()).isEqualTo(1101);
		assertThat(this.regressions).hasSize(clockFloor ? 0 : 1);
		assertThat(this.rejections).hasSize(this.regressions.size() + 1);
	}

	/**
	 * The lease has run out on the one side, and is renewed on the other.
	 */
	@Test
	void onlyOneSideOfAPartitionCommits() {
		LockingProcess first = process(new RedisStandaloneConfiguration("127.0.0.1", this.servers.primary().port()),
				RedisFixture.CLOCK_FLOOR, Duration.ofMillis(1500));
		LockingProcess second = process(sentinel(), RedisFixture.CLOCK_FLOOR, LEASE_TIME);
		FencedStack stack = stack(second);
		first.locks(stack.registry(), this.listener).executeWithoutResult(REQUEST, (context) -> {
			add(stack, 1);
			this.servers.partition();
			inTheOther(second,
					() -> second.locks(stack.registry(), this.listener).executeWithoutResult(REQUEST, (later) -> {
						assertThat(context.isLost()).isFalse();
						assertThat(this.servers.commands(this.servers.primary()).get(KEY))
							.startsWith(context.generation() + ":");
						assertThat(this.servers.commands(this.servers.replica()).get(KEY))
							.startsWith(later.generation() + ":");
						add(stack, 100);
					}));
			assertStale(stack);
		});
		assertThat(stack.counter()).isEqualTo(101);
		assertThat(this.rejections).hasSize(1);
		assertThat(this.regressions).isEmpty();
	}

	@Test
	void nothingRunsUnderALeaseThatNoReplicaHas() {
		LockingProcess process = process(sentinel(),
				new RedisLeaseSettings("fencing", false, 1, Duration.ofMillis(300)), LEASE_TIME);
		this.servers.letReplicaLag();
		AtomicBoolean ran = new AtomicBoolean();
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> process.locks().executeWithoutResult(REQUEST, (context) -> ran.set(true)))
			.withMessageContaining("0 of 1 replicas");
		assertThat(ran).isFalse();
		assertThat(process.pending()).isZero();
		var commands = this.servers.commands(this.servers.primary());
		await().until(() -> commands.get(KEY) == null);
		assertThat(commands.get("{fencing}:counter")).as("it was granted").isEqualTo("1");
	}

	@Test
	void leaseThatAReplicaHasSurvives() {
		RedisLeaseSettings settings = new RedisLeaseSettings("fencing", false, 1, Duration.ofSeconds(20));
		LockingProcess first = process(sentinel(), settings, Duration.ofSeconds(6));
		LockingProcess second = process(sentinel(), RedisFixture.SETTINGS, LEASE_TIME);
		this.servers.letReplicaBeSlow(Duration.ofSeconds(1));
		LeaseHold hold = first.acquire(REQUEST);
		this.servers.failOver();
		var commands = this.servers.commands(this.servers.replica());
		assertThat(commands.get(KEY)).isEqualTo("1:" + hold.lease().nonce());
		assertThat(second.tryAcquire(REQUEST, Duration.ZERO)).isNull();
		int before = first.renewed();
		await().until(() -> first.renewed() > before);
		assertThat(commands.pttl(KEY)).isGreaterThan(3000);
		assertThat(hold.isLost()).isFalse();
		first.release(hold);
		assertThat(commands.get(KEY)).isNull();
	}

	/**
	 * The owner gives its lease back to the new primary, or that does not know it.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void thoseWhoWaitAreServedByTheNewPrimary(boolean replicated) throws Exception {
		LockingProcess owner = process(sentinel(), RedisFixture.CLOCK_FLOOR, Duration.ofSeconds(60));
		List<LockingProcess> herd = Stream.generate(() -> process(sentinel(), RedisFixture.CLOCK_FLOOR, LEASE_TIME))
			.limit(3)
			.toList();
		if (!replicated) {
			this.servers.letReplicaLag();
		}
		LeaseHold hold = owner.acquire(REQUEST);
		List<CompletableFuture<Void>> waiting = herd.stream()
			.map((process) -> process.acquiring(REQUEST).thenAccept(process::release))
			.toList();
		var commands = this.servers.commands(this.servers.primary());
		await().until(() -> commands.zcard("{fencing}:waiting:counter") == 3);
		this.servers.failOver();
		if (replicated) {
			await().ignoreException(LeaseProviderException.class)
				.until(() -> owner.provider().find(REQUEST.resource()) != null);
			assertThat(waiting).noneMatch(CompletableFuture::isDone);
			owner.release(hold);
		}
		for (CompletableFuture<Void> one : waiting) {
			one.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private RedisSentinelConfiguration sentinel() {
		return new RedisSentinelConfiguration().master(RedisSentinelTestServers.NAME)
			.sentinel("127.0.0.1", this.servers.sentinelPort());
	}

	private LockingProcess process(RedisConfiguration configuration, RedisLeaseSettings settings, Duration leaseTime) {
		LettuceConnectionFactory factory = RedisFixture.factory(configuration);
		factory.afterPropertiesSet();
		factory.start();
		this.closers.push(factory::destroy);
		RedisLeaseProvider provider = new RedisLeaseProvider(factory, settings);
		this.closers.push(provider::close);
		LockingProcess process = new LockingProcess(provider, leaseTime);
		this.closers.push(process::close);
		return process;
	}

	private FencedStack stack(LockingProcess process) {
		FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, process.provider(), true).withCounter();
		this.closers.push(stack::close);
		return stack;
	}

	/**
	 * Run something on a thread of a process, since this one has the lease already.
	 */
	private static void inTheOther(LockingProcess process, Runnable task) {
		CompletableFuture.runAsync(task, process.threads()).join();
	}

	private static void add(FencedStack stack, int amount) {
		stack.transaction()
			.executeWithoutResult((status) -> stack.jdbc().update("update counter set amount = amount + ?", amount));
	}

	private void assertStale(FencedStack stack) {
		assertThat(FencingContext.current()).isPresent();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> add(stack, 10))
			.matches((ex) -> ex.getReason() == Rejection.Reason.STALE);
	}

}
