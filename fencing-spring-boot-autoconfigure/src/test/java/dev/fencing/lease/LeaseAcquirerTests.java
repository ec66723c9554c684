package dev.fencing.lease;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.testsupport.DelegatingLeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeaseAcquirerTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private static final Lease OTHER = new Lease("document:42", "other", 1);

	private final InMemoryLeaseProvider memory = new InMemoryLeaseProvider();

	private final AtomicInteger attempts = new AtomicInteger();

	private final AtomicInteger answersThatAreLate = new AtomicInteger();

	private final CountDownLatch secondAttempt = new CountDownLatch(2);

	private final HeldLeases held = new HeldLeases();

	private final LeaseProvider provider = new DelegatingLeaseProvider(this.memory) {
		@Override
		public LeaseAttempt acquire(LeaseRequest request) {
			LeaseAcquirerTests.this.attempts.incrementAndGet();
			LeaseAcquirerTests.this.secondAttempt.countDown();
			long begin = System.nanoTime();
			LeaseAttempt attempt = super.acquire(request);
			if (LeaseAcquirerTests.this.answersThatAreLate.getAndDecrement() > 0) {
				while (System.nanoTime() - begin < request.leaseTime().toNanos()) {
					Thread.onSpinWait();
				}
			}
			return attempt;
		}
	};

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), null, null);

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final LeaseAcquirer acquirer = new LeaseAcquirer(this.provider, this.renewer, this.settings, this.held);

	@AfterEach
	void leaveNothingBehind() {
		this.renewer.close();
		assertThat(this.renewer.pending()).isEqualTo(this.held.snapshot().size());
		assertThat(this.acquirer.awaited()).isZero();
	}

	@Test
	void singleAttemptIsMadeWithoutAWaitTime() {
		takeByOther();
		assertThat(this.acquirer.acquire(REQUEST, Duration.ZERO)).isNull();
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void waitingEndsWhenTheHolderReleases() throws Exception {
		takeByOther();
		CompletableFuture<LeaseHold> waiting = CompletableFuture
			.supplyAsync(() -> this.acquirer.acquire(REQUEST, Duration.ofSeconds(30)));
		assertThat(this.secondAttempt.await(10, TimeUnit.SECONDS)).isTrue();
		this.memory.release(OTHER);
		LeaseHold hold = waiting.get(10, TimeUnit.SECONDS);
		assertThat(hold.isLost()).isFalse();
		assertThat(this.held.snapshot()).singleElement()
			.satisfies((lease) -> assertThat(lease.nonce()).isEqualTo(hold.lease().nonce()));
	}

	@Test
	void waitingIsLimitedByTheWaitTime() {
		takeByOther();
		assertThat(this.acquirer.acquire(REQUEST, Duration.ofMillis(150))).isNull();
		assertThat(this.attempts).hasValueGreaterThan(1);
	}

	@Test
	void whoIsNotYetSureToBeToldAsksNowAndThen() {
		takeByOther();
		LeaseProvider slowToListen = new DelegatingLeaseProvider(this.provider) {
			@Override
			public ReleaseWatch watch(String resource, Runnable mayBeFree) {
				return new ReleaseWatch() {
					@Override
					public CompletionStage<?> ready() {
						return new CompletableFuture<>();
					}

					@Override
					public void close() {
					}
				};
			}
		};
		LeaseAcquirer waiting = new LeaseAcquirer(slowToListen, this.renewer, this.settings, this.held);
		// Less than the pause of those who are told: they ask at once and at the end
		assertThat(waiting.acquire(REQUEST, Duration.ofMillis(900))).isNull();
		assertThat(this.attempts).hasValueGreaterThan(2);
	}

	@Test
	void interruptedWaiterTakesNothingAndStaysInterrupted() {
		takeByOther();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.acquirer.acquire(REQUEST, Duration.ofSeconds(30)));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.held.snapshot()).isEmpty();
	}

	@Test
	void firstAnswerThatIsLateIsWorthAnotherAttempt() {
		this.answersThatAreLate.set(1);
		LeaseHold hold = this.acquirer.acquire(REQUEST.leaseTime(Duration.ofMillis(100)), Duration.ZERO);
		assertThat(hold).isNotNull();
		assertThat(this.attempts).hasValue(2);
	}

	@Test
	void answersThatAreAlwaysLateAreAFailureOfTheProvider() {
		this.answersThatAreLate.set(2);
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> this.acquirer.acquire(REQUEST.leaseTime(Duration.ofMillis(100)), Duration.ZERO))
			.withMessageContaining("document:42")
			.withMessageContaining("longer than the lease time");
		assertThat(this.memory.find("document:42")).isNull();
		assertThat(this.held.snapshot()).isEmpty();
	}

	@Test
	void leaseIsNotLongerThanTheLongestHold() {
		LeaseHold hold = this.acquirer.acquire(REQUEST.maxHold(Duration.ofSeconds(2)), Duration.ZERO);
		assertThat(hold).isNotNull();
		assertThat(hold.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void shortestHoldBlocksTheResourceAfterTheRelease() {
		LeaseHold hold = this.acquirer.acquire(REQUEST.minHold(Duration.ofHours(1)), Duration.ZERO);
		assertThat(hold).isNotNull();
		this.acquirer.end(hold, true);
		assertBlocked(Duration.ofMinutes(59));
	}

	@Test
	void shortestHoldIsKeptAlsoIfTheLeaseIsLeftToRunOut() {
		LeaseHold hold = this.acquirer.acquire(REQUEST.minHold(Duration.ofHours(1)), Duration.ZERO);
		assertThat(hold).isNotNull();
		this.acquirer.end(hold, false);
		assertBlocked(Duration.ofMinutes(59));
	}

	@Test
	void leaseThatIsLeftToRunOutIsNotCutToTheShortestHold() {
		LeaseHold hold = this.acquirer.acquire(REQUEST.minHold(Duration.ofSeconds(1)), Duration.ZERO);
		assertThat(hold).isNotNull();
		this.acquirer.end(hold, false);
		assertBlocked(Duration.ofSeconds(20));
	}

	@Test
	void shortestHoldOutlastsTheLongestHoldOfAllLocks() {
		LeaseSettings capped = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, Duration.ofMillis(10));
		assertThat(HoldTimes.of(REQUEST.minHold(Duration.ofHours(1)), capped).maxHold()).isEqualTo(Duration.ofHours(1));
		assertThat(HoldTimes.of(REQUEST, capped).maxHold()).isEqualTo(Duration.ofMillis(10));
	}

	@Test
	void waitTimeMayBeForever() {
		LeaseHold hold = this.acquirer.acquire(REQUEST, ChronoUnit.FOREVER.getDuration());
		assertThat(hold).isNotNull();
	}

	private void assertBlocked(Duration atLeast) {
		LeaseState state = this.memory.find("document:42");
		assertThat(state).isNotNull();
		assertThat(state.remaining()).isGreaterThan(atLeast);
		assertThat(this.acquirer.acquire(REQUEST, Duration.ZERO)).isNull();
	}

	private void takeByOther() {
		this.memory
			.acquire(new LeaseRequest("document:42", OTHER.nonce(), Duration.ofSeconds(30), Duration.ofSeconds(1)));
	}

}
