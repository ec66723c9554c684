package dev.fencing.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.LeaseProviderException;
import dev.fencing.testsupport.DelegatingLeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

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
		start(this.frequentRenewer, hold);
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isFalse();
		assertThat(this.callback.slacks).allSatisfy((slack) -> assertThat(slack).isBetween(0.0, 1.0));
		assertThat(this.callback.lost.getCount()).isOne();
	}

	@Test
	void leaseOfAnotherOwnerIsLostAtOnceAndNotRenewedAgain() throws Exception {
		this.provider.answer = (lease) -> answer(new RenewalAnswer.Taken(7));
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		start(this.frequentRenewer, hold);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isTrue();
		assertThat(hold.remaining()).isZero();
		assertThat(this.provider.calls).hasValue(1);
		assertThat(this.frequentRenewer.pending()).isZero();
	}

	@Test
	void failuresAreToldAndTriedAgainWhileTheLeaseLasts() throws Exception {
		this.provider.answer = (lease) -> CompletableFuture.failedFuture(new LeaseProviderException("down"));
		start(this.renewer, hold(null));
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.callback.failures).hasSizeGreaterThanOrEqualTo(2);
	}

	@Test
	void providerThatThrowsDoesNotEndTheThread() throws Exception {
		this.provider.answer = (lease) -> {
			if (this.provider.calls.get() < 3) {
				throw new IllegalStateException("bug");
			}
			return answer(new RenewalAnswer.Renewed());
		};
		this.callback.renewals = new CountDownLatch(2);
		start(this.frequentRenewer, hold(null, LONG_LEASE_TIME));
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.callback.failures).hasSize(2);
	}

	@Test
	void answerThatNeverComesDoesNotKeepTheLossFromBeingTold() throws Exception {
		this.provider.answer = (lease) -> new CompletableFuture<>();
		LeaseHold hold = hold(null);
		start(this.renewer, hold);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void answerAfterTheLossRevivesNothing() throws Exception {
		CompletableFuture<RenewalAnswer> answer = new CompletableFuture<>();
		this.provider.answer = (lease) -> answer;
		LeaseHold hold = hold(null);
		start(this.renewer, hold);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		answer.complete(new RenewalAnswer.Renewed());
		LeaseHold next = hold(null, LONG_LEASE_TIME);
		this.provider.answer = (lease) -> answer(new RenewalAnswer.Renewed());
		RecordingCallback nextCallback = new RecordingCallback();
		nextCallback.renewals = new CountDownLatch(1);
		next.report(nextCallback);
		this.frequentRenewer.arm(next);
		assertThat(nextCallback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isTrue();
	}

	@Test
	void leaseIsNotRenewedPastTheLongestHold() throws Exception {
		LeaseHold hold = hold(LEASE_TIME);
		start(this.renewer, hold);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.provider.calls).hasValue(0);
	}

	@Test
	void renewalBeforeTheLongestHoldEndsWithIt() throws Exception {
		Duration longestHold = LEASE_TIME.plusMillis(150);
		LeaseHold hold = hold(longestHold);
		start(this.renewer, hold);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.provider.calls).hasValueGreaterThanOrEqualTo(1);
		assertThat(hold.heldFor()).isGreaterThanOrEqualTo(longestHold);
		assertThat(this.provider.extensions)
			.allSatisfy((extension) -> assertThat(extension).isLessThanOrEqualTo(LEASE_TIME).isLessThan(longestHold));
	}

	@Test
	void disarmedRenewalSendsNothingMore() {
		LeaseHold hold = hold(null, Duration.ofSeconds(30));
		start(this.renewer, hold);
		assertThat(this.renewer.pending()).isOne();
		this.renewer.disarm(hold);
		assertThat(this.renewer.pending()).isZero();
	}

	@Test
	void answerAfterTheReleaseTellsNothing() {
		CompletableFuture<RenewalAnswer> answer = new CompletableFuture<>();
		this.provider.answer = (lease) -> answer;
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		start(this.frequentRenewer, hold);
		await().untilAtomic(this.provider.calls, greaterThan(0));
		this.frequentRenewer.disarm(hold);
		answer.complete(new RenewalAnswer.Renewed());
		renewAnother();
		assertThat(this.callback.slacks).isEmpty();
		assertThat(this.frequentRenewer.pending()).isZero();
	}

	@Test
	void leaseThatIsNotGrantedYetIsNotRenewed() {
		LeaseHold hold = new LeaseHold("document", new HoldTimes(LONG_LEASE_TIME, Duration.ZERO, null));
		start(this.frequentRenewer, hold);
		renewAnother();
		assertThat(this.provider.renewed).doesNotContain("document:42");
		hold.granted(new Lease("document:42", "nonce", 1));
		await().until(() -> this.provider.renewed.contains("document:42"));
	}

	@Test
	void leasesThatAreDueAtAboutTheSameTimeGoInOneRequest() throws Exception {
		this.callback.renewals = new CountDownLatch(400);
		for (int i = 0; i < 100; i++) {
			LeaseHold hold = new LeaseHold("document", new HoldTimes(LONG_LEASE_TIME, Duration.ZERO, null));
			hold.granted(new Lease("document:" + i, "nonce", 1));
			start(this.frequentRenewer, hold);
		}
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.provider.requests.get() * 4).isLessThan(this.provider.calls.get());
	}

	@Test
	void eachPartitionHasItsOwnRequestAndNoneWaitsForAnother() throws Exception {
		this.provider.partition = (resource) -> resource.equals("document:away") ? 1 : 0;
		this.provider.answer = (lease) -> lease.resources().contains("document:away") ? new CompletableFuture<>()
				: answer(new RenewalAnswer.Renewed());
		this.callback.renewals = new CountDownLatch(3);
		for (String resource : List.of("document:away", "document:there")) {
			LeaseHold hold = new LeaseHold("document", new HoldTimes(LONG_LEASE_TIME, Duration.ZERO, null));
			hold.granted(new Lease(resource, "nonce", 1));
			start(this.frequentRenewer, hold);
		}
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void successorIsKnownOnceTheProviderHasToldIt() throws Exception {
		this.provider.answer = (lease) -> answer(new RenewalAnswer.Taken(7));
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		assertThat(hold.successor()).isZero();
		start(this.frequentRenewer, hold);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.successor()).isEqualTo(7);
	}

	@Test
	void lossIsToldToWhoAsksLater() throws Exception {
		this.provider.answer = (lease) -> answer(new RenewalAnswer.Gone());
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		this.frequentRenewer.arm(hold);
		await().until(hold::isLost);
		hold.report(this.callback);
		assertThat(this.callback.lost.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void callbackThatBlocksHoldsUpNoRenewal() throws Exception {
		CountDownLatch blocks = new CountDownLatch(1);
		LeaseHold blocked = hold(null, LONG_LEASE_TIME);
		blocked.report(new RecordingCallback() {
			@Override
			public void renewed(double slack) {
				awaitQuietly(blocks);
			}
		});
		this.frequentRenewer.arm(blocked);
		await().untilAtomic(this.provider.calls, greaterThan(5));
		blocks.countDown();
	}

	@Test
	void threadOutlivesAnErrorAndAnInterruption() throws Exception {
		this.provider.answer = (lease) -> {
			if (this.provider.calls.get() == 1) {
				throw new StackOverflowError("none really");
			}
			if (this.provider.calls.get() == 2) {
				Thread.currentThread().interrupt();
			}
			return answer(new RenewalAnswer.Renewed());
		};
		this.callback.renewals = new CountDownLatch(5);
		start(this.frequentRenewer, hold(null, LONG_LEASE_TIME));
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void tooFewAnswersAreNoReasonToGiveUp() throws Exception {
		this.provider.tooFewAnswers = true;
		LeaseHold hold = hold(null, LONG_LEASE_TIME);
		start(this.frequentRenewer, hold);
		await().untilAtomic(this.provider.calls, greaterThan(3));
		this.provider.tooFewAnswers = false;
		assertThat(this.callback.renewals.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(hold.isLost()).isFalse();
	}

	private void start(LeaseRenewer renewer, LeaseHold hold) {
		hold.report(this.callback);
		renewer.arm(hold);
	}

	/**
	 * Wait until the thread has dealt with all that was due before.
	 */
	private void renewAnother() {
		LeaseHold other = new LeaseHold("document", new HoldTimes(LONG_LEASE_TIME, Duration.ZERO, null));
		other.granted(new Lease("document:other", "nonce", 2));
		RecordingCallback told = new RecordingCallback();
		other.report(told);
		this.provider.answer = (lease) -> answer(new RenewalAnswer.Renewed());
		this.frequentRenewer.arm(other);
		await().until(() -> told.slacks.size() > 2);
		this.frequentRenewer.disarm(other);
	}

	private static CompletionStage<RenewalAnswer> answer(RenewalAnswer answer) {
		return CompletableFuture.completedFuture(answer);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static LeaseHold hold(@Nullable Duration maxHold) {
		return hold(maxHold, LEASE_TIME);
	}

	private static LeaseHold hold(@Nullable Duration maxHold, Duration leaseTime) {
		LeaseHold hold = new LeaseHold("document", new HoldTimes(leaseTime, Duration.ZERO, maxHold));
		hold.granted(new Lease("document:42", "nonce", 1));
		return hold;
	}

	static final class AnsweringProvider extends DelegatingLeaseProvider {

		private final AtomicInteger calls = new AtomicInteger();

		private final List<Duration> extensions = new CopyOnWriteArrayList<>();

		private final AtomicInteger requests = new AtomicInteger();

		private final Set<String> renewed = ConcurrentHashMap.newKeySet();

		private volatile Function<Lease, CompletionStage<RenewalAnswer>> answer = (lease) -> answer(
				new RenewalAnswer.Renewed());

		private volatile ToIntFunction<String> partition = (resource) -> 0;

		private volatile boolean tooFewAnswers;

		AnsweringProvider() {
			super(new InMemoryLeaseProvider());
		}

		@Override
		public int partition(String resource) {
			return this.partition.applyAsInt(resource);
		}

		@Override
		public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
			this.requests.incrementAndGet();
			List<CompletableFuture<RenewalAnswer>> answers = new ArrayList<>();
			for (LeaseExtension extension : extensions) {
				this.calls.incrementAndGet();
				this.extensions.add(extension.leaseTime());
				this.renewed.addAll(extension.lease().resources());
				answers.add(this.answer.apply(extension.lease()).toCompletableFuture());
			}
			if (this.tooFewAnswers) {
				answers.clear();
			}
			return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
				.thenApply((done) -> answers.stream().map(CompletableFuture::join).toList());
		}

	}

	static class RecordingCallback implements RenewalCallback {

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
