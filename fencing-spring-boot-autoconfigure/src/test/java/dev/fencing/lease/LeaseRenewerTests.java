package dev.fencing.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.LeaseProviderException;
import dev.fencing.testsupport.DelegatingLeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseRenewerTests {

	private static final Duration LEASE_TIME = Duration.ofMillis(300);

	private static final Duration LONG_LEASE_TIME = Duration.ofSeconds(30);

	private final AnsweringProvider provider = new AnsweringProvider();

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider,
			new LeaseSettings(LEASE_TIME, Duration.ZERO, null, null));

	private final LeaseRenewer frequentRenewer = new LeaseRenewer(this.provider,
			new LeaseSettings(LONG_LEASE_TIME, Duration.ZERO, Duration.ofMillis(20), null));

	private final RecordingCallback callback = new RecordingCallback();

	@AfterEach
	void close() {
		this.renewer.close();
		this.frequentRenewer.close();
	}

	@Test
	void leaseIsRenewedAgainAndAgain() throws Exception {
		this.callback.renewals = new CountDownLatch(5);
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		this.frequentRenewer.start(hold, this.callback);
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isFalse();
		assertThat(this.callback.slacks).allSatisfy((slack) -> assertThat(slack).isBetween(0.0, 1.0));
		assertThat(this.callback.lost.getCount()).isOne();
	}

	@Test
	void leaseOfAnotherOwnerIsLostAtOnceAndNotRenewedAgain() throws Exception {
		this.provider.answer = (lease) -> CompletableFuture.completedFuture(false);
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		this.frequentRenewer.start(hold, this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isTrue();
		assertThat(hold.remaining()).isZero();
		assertThat(this.provider.calls).hasValue(1);
		assertThat(this.frequentRenewer.pending()).isZero();
	}

	@Test
	void failuresAreToldAndTriedAgainWhileTheLeaseLasts() throws Exception {
		this.provider.answer = (lease) -> CompletableFuture.failedFuture(new LeaseProviderException("down"));
		this.renewer.start(hold(null), this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.callback.failures).hasSizeGreaterThanOrEqualTo(2);
	}

	@Test
	void providerThatThrowsDoesNotEndTheThread() throws Exception {
		this.provider.answer = (lease) -> {
			if (this.provider.calls.get() < 3) {
				throw new IllegalStateException("bug");
			}
			return CompletableFuture.completedFuture(true);
		};
		this.callback.renewals = new CountDownLatch(2);
		this.frequentRenewer.start(hold(null, LONG_LEASE_TIME), this.callback);
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.callback.failures).hasSize(2);
	}

	@Test
	void answerThatNeverComesDoesNotKeepTheLossFromBeingTold() throws Exception {
		this.provider.answer = (lease) -> new CompletableFuture<>();
		LeaseHold hold = hold(null);
		this.renewer.start(hold, this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void answerAfterTheLossRevivesNothing() throws Exception {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.provider.answer = (lease) -> answer;
		LeaseHold hold = hold(null);
		this.renewer.start(hold, this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		answer.complete(true);
		LeaseHold next = hold(null, LONG_LEASE_TIME);
		this.provider.answer = (lease) -> CompletableFuture.completedFuture(true);
		RecordingCallback nextCallback = new RecordingCallback();
		nextCallback.renewals = new CountDownLatch(1);
		this.frequentRenewer.start(next, nextCallback);
		assertThat(nextCallback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void leaseIsNotRenewedPastTheLongestHold() throws Exception {
		LeaseHold hold = hold(LEASE_TIME);
		this.renewer.start(hold, this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.provider.calls).hasValue(0);
	}

	@Test
	void renewalBeforeTheLongestHoldEndsWithIt() throws Exception {
		Duration longestHold = LEASE_TIME.plusMillis(150);
		LeaseHold hold = hold(longestHold);
		this.renewer.start(hold, this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.provider.calls).hasValueGreaterThanOrEqualTo(1);
		assertThat(hold.heldFor()).isGreaterThanOrEqualTo(longestHold);
		assertThat(this.provider.extensions)
			.allSatisfy((extension) -> assertThat(extension).isLessThanOrEqualTo(LEASE_TIME).isLessThan(longestHold));
	}

	@Test
	void stoppedRenewalSendsNothingMoreAndTellsNothing() {
		LeaseRenewer.Renewal renewal = this.renewer.start(hold(null, Duration.ofSeconds(30)), this.callback);
		assertThat(this.renewer.pending()).isOne();
		renewal.stop();
		assertThat(this.renewer.pending()).isZero();
	}

	@Test
	void renewalThatNamedTheGenerationBeforeHealingIsRepeated() throws Exception {
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		this.provider.answer = (lease) -> {
			if (lease.generation() == 1) {
				hold.heal(new Lease("document:42", "nonce", 2));
				return CompletableFuture.completedFuture(false);
			}
			return CompletableFuture.completedFuture(true);
		};
		this.callback.renewals = new CountDownLatch(1);
		this.frequentRenewer.start(hold, this.callback);
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.callback.lost.getCount()).isOne();
	}

	private static LeaseHold hold(@Nullable Duration maxHold) {
		return hold(maxHold, LEASE_TIME);
	}

	private static LeaseHold hold(@Nullable Duration maxHold, Duration leaseTime) {
		return new LeaseHold("document", new Lease("document:42", "nonce", 1), leaseTime, maxHold, System.nanoTime());
	}

	static final class AnsweringProvider extends DelegatingLeaseProvider {

		private final AtomicInteger calls = new AtomicInteger();

		private final List<Duration> extensions = new CopyOnWriteArrayList<>();

		private volatile Function<Lease, CompletionStage<Boolean>> answer = (lease) -> CompletableFuture
			.completedFuture(true);

		AnsweringProvider() {
			super(new InMemoryLeaseProvider());
		}

		@Override
		public CompletionStage<Boolean> renew(Lease lease, Duration leaseTime) {
			this.calls.incrementAndGet();
			this.extensions.add(leaseTime);
			return this.answer.apply(lease);
		}

	}

	static final class RecordingCallback implements RenewalCallback {

		private volatile CountDownLatch renewals = new CountDownLatch(1);

		private final CountDownLatch lost = new CountDownLatch(1);

		private final List<Double> slacks = new CopyOnWriteArrayList<>();

		private final List<Throwable> failures = new CopyOnWriteArrayList<>();

		@Override
		public void renewed(double slack) {
			this.slacks.add(slack);
			this.renewals.countDown();
		}

		@Override
		public void renewalFailed(Throwable failure) {
			this.failures.add(failure);
		}

		@Override
		public void lost() {
			this.lost.countDown();
		}

	}

}
