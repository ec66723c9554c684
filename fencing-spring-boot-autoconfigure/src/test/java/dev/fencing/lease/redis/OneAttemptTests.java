package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.TcpProxy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However many threads of a process want a resource, one of them asks Redis at a time.
 */
@Timeout(90)
class OneAttemptTests {

	private static final int THREADS = 20;

	private static final int ROUNDS = 4;

	private static final Duration LEASE_TIME = Duration.ofSeconds(30);

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy network = this.redis.proxy();

	private final Attempts attempts = new Attempts(
			this.redis.provider(RedisFixture.factory(this.network.port()), RedisFixture.SETTINGS));

	private final LockingProcess process = this.redis.process(this.attempts, LEASE_TIME);

	private final LockingProcess other = this.redis.process(LEASE_TIME);

	@AfterEach
	void stop() {
		assertThat(this.process.pending()).isZero();
		assertThat(this.process.awaited()).isZero();
		this.redis.close();
	}

	@Test
	void manyThreadsThatWantOneResource() {
		run((thread) -> LockRequest.of("document").key(1));
		assertThat(this.attempts.mostAtATime).containsEntry("document:1", 1);
	}

	/**
	 * Where they overlap in part, they are in one line only for what is held: two that
	 * wait for different ones may ask at the same time.
	 */
	@Test
	void manyThreadsThatWantTheSameResources() {
		run((thread) -> LockRequest.of("document").keys(List.of(0, 1, 2)));
		assertThat(this.attempts.mostAtATime).containsOnly(Map.entry("document:0", 1), Map.entry("document:1", 1),
				Map.entry("document:2", 1));
	}

	/**
	 * The control: attempts for different resources do overlap, so that they would be
	 * seen.
	 */
	@Test
	void threadsThatWantDifferentResourcesDoNotWaitForEachOther() {
		run((thread) -> LockRequest.of("document").key(thread));
		assertThat(this.attempts.mostInAll.get()).isGreaterThan(1);
		assertThat(this.attempts.mostAtATime).hasSize(THREADS).allSatisfy((key, most) -> assertThat(most).isOne());
	}

	private void run(IntFunction<LockRequest> requests) {
		this.network.latency(Duration.ofMillis(5));
		LeaseHold holder = this.other.acquire(requests.apply(0));
		List<CompletableFuture<Void>> running = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			LockRequest request = requests.apply(i);
			running.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < ROUNDS; round++) {
					LeaseHold hold = this.process.tryAcquire(request, Duration.ofSeconds(60));
					assertThat(hold).isNotNull();
					this.process.release(hold);
				}
			}, this.process.threads()));
		}
		this.attempts.first.orTimeout(20, TimeUnit.SECONDS).join();
		this.other.release(holder);
		running.forEach((one) -> one.orTimeout(60, TimeUnit.SECONDS).join());
	}

	/**
	 * Counts how many attempts are under way, for each resource and in all.
	 */
	private static final class Attempts extends DelegatingLeaseProvider {

		private final CompletableFuture<Void> first = new CompletableFuture<>();

		private final Map<String, AtomicInteger> underWay = new ConcurrentHashMap<>();

		private final Map<String, Integer> mostAtATime = new ConcurrentHashMap<>();

		private final AtomicInteger underWayInAll = new AtomicInteger();

		private final AtomicInteger mostInAll = new AtomicInteger();

		Attempts(LeaseProvider delegate) {
			super(delegate);
		}

		@Override
		public LeaseAttempt acquire(LeaseRequest request) {
			this.mostInAll.accumulateAndGet(this.underWayInAll.incrementAndGet(), Math::max);
			request.resources()
				.forEach(
						(resource) -> this.mostAtATime.merge(resource, counter(resource).incrementAndGet(), Math::max));
			try {
				return super.acquire(request);
			}
			finally {
				request.resources().forEach((resource) -> counter(resource).decrementAndGet());
				this.underWayInAll.decrementAndGet();
				this.first.complete(null);
			}
		}

		private AtomicInteger counter(String resource) {
			return this.underWay.computeIfAbsent(resource, (key) -> new AtomicInteger());
		}

	}

}
