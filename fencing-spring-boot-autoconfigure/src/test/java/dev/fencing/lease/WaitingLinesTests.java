package dev.fencing.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LockRequest;
import dev.fencing.testsupport.DelegatingLeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

/**
 * Tests for the lines in which the threads of a process wait.
 */
@Timeout(60)
class WaitingLinesTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final InMemoryLeaseProvider memory = new InMemoryLeaseProvider();

	private final LeaseSettings settings = new LeaseSettings(LONG, LONG, null, null);

	private final AtomicInteger attempts = new AtomicInteger();

	private final HeldLeases held = new HeldLeases();

	private LeaseProvider provider = counting((request) -> {
	});

	private final LeaseRenewer renewer = new LeaseRenewer(this.memory, this.settings);

	private LeaseAcquirer acquirer = acquirer();

	@AfterEach
	void leaveNothingBehind() {
		this.renewer.close();
		assertThat(this.acquirer.awaited()).isZero();
		assertThat(this.renewer.pending()).isEqualTo(this.held.calls());
	}

	@Test
	void lockOfAFreeResourceIsNotHeldUpByWhoWantsItTogetherWithAnother() throws Exception {
		LeaseHold second = acquire("b");
		CompletableFuture<LeaseHold> both = wantBoth();
		LeaseHold first = acquire("a");
		assertThat(first).isNotNull();
		this.acquirer.end(first, true);
		this.acquirer.end(second, true);
		assertThat(both.get().lease().resources()).containsExactly("document:a", "document:b");
	}

	@Test
	void locksThatAllTakeInTheSameOrderDoNotDeadlock() throws Exception {
		LeaseHold first = acquire("a");
		CompletableFuture<LeaseHold> both = wantBoth();
		LeaseHold second = acquire("b");
		assertThat(second).isNotNull();
		this.acquirer.end(second, true);
		assertThat(both).isNotDone();
		this.acquirer.end(first, true);
		assertThat(both.get().lease().resources()).containsExactly("document:a", "document:b");
	}

	@Test
	void whoWantsSeveralWaitsForOneAfterTheOther() throws Exception {
		LeaseHold first = acquire("a");
		LeaseHold second = acquire("b");
		CompletableFuture<LeaseHold> both = wantBoth();
		this.acquirer.end(first, true);
		await().untilAsserted(() -> assertThat(this.acquirer.awaited()).isOne());
		assertThat(both).isNotDone();
		this.acquirer.end(second, true);
		assertThat(both.get()).isNotNull();
	}

	@Test
	void callersThatDoNotWaitAreAnsweredTogether() throws Exception {
		LeaseHold hold = acquire("a");
		CountDownLatch answers = new CountDownLatch(1);
		this.provider = counting((request) -> awaitQuietly(answers));
		this.acquirer = acquirer();
		this.attempts.set(0);
		List<Thread> callers = new ArrayList<>();
		AtomicInteger unavailable = new AtomicInteger();
		for (int i = 0; i < 10; i++) {
			Thread caller = new Thread(() -> {
				if (acquire("a") == null) {
					unavailable.incrementAndGet();
				}
			});
			caller.start();
			callers.add(caller);
		}
		await().until(() -> callers.stream()
			.filter((caller) -> caller.getState() == Thread.State.TIMED_WAITING)
			.count() == 10);
		answers.countDown();
		for (Thread caller : callers) {
			caller.join();
		}
		assertThat(unavailable).hasValue(10);
		assertThat(this.attempts).hasValue(1);
		assertThat(hold.isLost()).isFalse();
	}

	@Test
	void watchThatFailsIsNoReasonNotToWait() throws Exception {
		LeaseHold hold = acquire("a");
		this.provider = new DelegatingLeaseProvider(this.memory) {
			@Override
			public ReleaseWatch watch(String resource, Runnable mayBeFree) {
				throw new IllegalStateException("no messages");
			}
		};
		this.acquirer = acquirer();
		CompletableFuture<LeaseHold> waiting = want("a");
		this.memory.release(hold.lease());
		assertThat(waiting.get().isLost()).isFalse();
	}

	@Test
	void watchThatCannotBeEndedKeepsNoLeaseFromItsCaller() throws Exception {
		LeaseHold hold = acquire("a");
		this.provider = new DelegatingLeaseProvider(this.memory) {
			@Override
			public ReleaseWatch watch(String resource, Runnable mayBeFree) {
				ReleaseWatch watch = super.watch(resource, mayBeFree);
				return new ReleaseWatch() {
					@Override
					public CompletionStage<?> ready() {
						return watch.ready();
					}

					@Override
					public void close() {
						watch.close();
						throw new OutOfMemoryError("unable to create native thread");
					}
				};
			}
		};
		this.acquirer = acquirer();
		CompletableFuture<LeaseHold> waiting = want("a");
		this.memory.release(hold.lease());
		this.acquirer.end(waiting.get(), true);
		assertThat(this.memory.find("document:a")).isNull();
	}

	private LeaseHold acquire(String key) {
		return this.acquirer.acquire(LockRequest.of("document").key(key), Duration.ZERO);
	}

	private CompletableFuture<LeaseHold> wantBoth() {
		int before = this.attempts.get();
		CompletableFuture<LeaseHold> both = CompletableFuture
			.supplyAsync(() -> this.acquirer.acquire(LockRequest.of("document").keys(List.of("a", "b")), LONG));
		await().untilAtomic(this.attempts, greaterThan(before));
		return both;
	}

	private CompletableFuture<LeaseHold> want(String key) throws InterruptedException, ExecutionException {
		CompletableFuture<LeaseHold> waiting = CompletableFuture
			.supplyAsync(() -> this.acquirer.acquire(LockRequest.of("document").key(key), LONG));
		await().until(() -> this.acquirer.awaited() == 1);
		return waiting;
	}

	private LeaseAcquirer acquirer() {
		return new LeaseAcquirer(this.provider, this.renewer, this.settings, this.held);
	}

	private LeaseProvider counting(Consumer<LeaseRequest> before) {
		return new DelegatingLeaseProvider(this.memory) {
			@Override
			public LeaseAttempt acquire(LeaseRequest request) {
				before.accept(request);
				LeaseAttempt attempt = super.acquire(request);
				WaitingLinesTests.this.attempts.incrementAndGet();
				return attempt;
			}
		};
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
