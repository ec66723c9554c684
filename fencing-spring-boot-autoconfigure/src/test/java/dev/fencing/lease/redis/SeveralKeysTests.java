package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseHold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for leases on several resources at once, in two processes.
 */
@Timeout(90)
class SeveralKeysTests {

	private static final int KEYS = 5;

	private static final Duration LEASE_TIME = Duration.ofSeconds(10);

	private final RedisFixture redis = new RedisFixture();

	private final List<LockingProcess> processes = List.of(this.redis.process(LEASE_TIME),
			this.redis.process(LEASE_TIME));

	/**
	 * How many have each resource at this moment.
	 */
	private final AtomicIntegerArray owners = new AtomicIntegerArray(KEYS);

	@AfterEach
	void leaveNothingBehind() {
		for (LockingProcess process : this.processes) {
			assertThat(process.pending()).isZero();
			assertThat(process.awaited()).isZero();
			assertThat(process.lost()).isZero();
		}
		this.redis.close();
	}

	@Test
	void crossedOrdersNeitherBlockNorOverlap() {
		AtomicInteger granted = new AtomicInteger();
		List<CompletableFuture<Void>> running = new ArrayList<>();
		int threads = 16;
		int rounds = 25;
		for (int i = 0; i < threads; i++) {
			LockingProcess process = this.processes.get(i % 2);
			Random random = new Random(i);
			running.add(CompletableFuture.runAsync(() -> {
				for (int round = 0; round < rounds; round++) {
					List<Integer> keys = someKeys(random);
					LeaseHold hold = process.tryAcquire(LockRequest.of("document").keys(keys), Duration.ofSeconds(60));
					assertThat(hold).isNotNull();
					keys.forEach((key) -> assertThat(this.owners.incrementAndGet(key)).isOne());
					Thread.yield();
					keys.forEach(this.owners::decrementAndGet);
					granted.incrementAndGet();
					process.release(hold);
				}
			}, process.threads()));
		}
		running.forEach((one) -> one.orTimeout(60, TimeUnit.SECONDS).join());
		assertThat(granted).hasValue(threads * rounds);
		await()
			.untilAsserted(() -> assertThat(this.redis.keys()).filteredOn((key) -> key.contains(":lease:")).isEmpty());
	}

	private static List<Integer> someKeys(Random random) {
		List<Integer> keys = IntStream.range(0, KEYS).boxed().collect(Collectors.toCollection(ArrayList::new));
		Collections.shuffle(keys, random);
		return keys.subList(0, 1 + random.nextInt(KEYS - 1));
	}

	@Test
	void nothingIsTakenWhereOneIsHeld() {
		LockingProcess first = this.processes.get(0);
		LeaseHold holder = first.acquire(LockRequest.of("document").key(2));
		LockingProcess second = this.processes.get(1);
		LockRequest several = LockRequest.of("document").keys(List.of(3, 2, 1));
		assertThat(second.tryAcquire(several, Duration.ofMillis(200))).isNull();
		assertThat(this.redis.raw().exists("{fencing}:lease:document:1", "{fencing}:lease:document:3")).isZero();
		first.release(holder);
		LeaseHold all = second.acquire(several);
		assertThat(
				IntStream.rangeClosed(1, 3).mapToObj((key) -> this.redis.raw().get("{fencing}:lease:document:" + key)))
			.containsOnly(all.lease().generation() + ":" + all.lease().nonce());
		second.release(all);
	}

	@Test
	void whoHoldsAPartHasToSayAll() {
		LockingProcess process = this.processes.get(0);
		process.locks()
			.executeWithoutResult(LockRequest.of("document").key(1),
					(context) -> assertThatExceptionOfType(LeaseUnavailableException.class)
						.isThrownBy(() -> process.locks()
							.executeWithoutResult(LockRequest.of("document").keys(List.of(1, 2)), (inner) -> {
							}))
						.withMessageContaining("document:2")
						.withMessageContaining("Lock all of them in the outermost method"));
	}

}
