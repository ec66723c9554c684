package dev.fencing.transaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.TransactionStatus;

import dev.fencing.FencedLease;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A lease that is opened and closed by two calls.
 */
@Timeout(60)
class OpenLeaseTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final SometimesUnreachable provider = new SometimesUnreachable();

	private final FencedStack stack = FencedStack.on(TestDatabase.H2, this.provider, true).withCounter();

	@AfterEach
	void close() {
		assertThat(FencingContext.current()).isEmpty();
		this.stack.assertUnused("counter");
		this.stack.close();
	}

	@Test
	void leaseIsBoundAndHeldUntilItIsClosed() {
		FencedLease lease = open();
		assertThat(FencingContext.require("counter", null)).isSameAs(lease.context());
		assertThat(this.provider.find("counter")).isNotNull();
		lease.close();
		assertThat(FencingContext.current()).isEmpty();
		assertThat(this.provider.find("counter")).isNull();
	}

	@Test
	void closingTwiceDoesNothingMore() {
		FencedLease lease = open();
		lease.close();
		try (FencedLease later = open()) {
			lease.close();
			assertThat(this.provider.find("counter")).extracting((state) -> state.lease().generation())
				.isEqualTo(later.context().generation());
		}
	}

	@Test
	void leaseOfAnotherOwnerIsNotOpened() {
		try (FencedLease lease = open()) {
			assertThat(CompletableFuture.supplyAsync(() -> this.stack.locks().open(REQUEST)).join()).isEmpty();
		}
	}

	@Test
	void transactionOfAStaleOwnerIsRefused() {
		FencedLease lease = open();
		this.stack.takeOver(lease.context());
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.stack::increment)
			.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION));
		lease.close();
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void transactionThatIsStillOpenKeepsTheLeaseUntilItsCommit() {
		FencedLease lease = open();
		TransactionStatus transaction = this.stack.transactionManager().getTransaction(this.stack.transaction());
		this.stack.jdbc().update("update counter set amount = amount + 1");
		lease.close();
		assertThat(this.provider.find("counter")).isNotNull();
		this.stack.transactionManager().commit(transaction);
		assertThat(this.provider.find("counter")).isNull();
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void leaseIsNotOpenedInsideATransaction() {
		assertThatExceptionOfType(LockInsideTransactionException.class).isThrownBy(
				() -> this.stack.transaction().executeWithoutResult((transaction) -> this.stack.locks().open(REQUEST)));
	}

	@Test
	void leaseInsideOneOfTheSameThreadIsThatOne() {
		try (FencedLease outer = open()) {
			FencedLease inner = open();
			assertThat(inner.context()).isSameAs(outer.context());
			inner.close();
			assertThat(FencingContext.current()).containsSame(outer.context());
			assertThat(this.provider.find("counter")).isNotNull();
			this.stack.increment();
		}
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void innerLeaseStaysBoundAndHeldWhenTheOuterOneIsClosedFirst() {
		FencedLease outer = open();
		FencedLease inner = open();
		outer.close();
		assertThat(FencingContext.current()).containsSame(inner.context());
		assertThat(this.provider.find("counter")).isNotNull();
		this.stack.takeOver(inner.context());
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.stack::increment);
		inner.close();
		assertThat(this.provider.find("counter")).isNull();
	}

	@Test
	void leaseThatIsOpenedInLockedCodeOutlivesIt() {
		FencedLease lease = this.stack.locks().execute(REQUEST, (context) -> open());
		assertThat(FencingContext.current()).containsSame(lease.context());
		assertThat(this.provider.find("counter")).isNotNull();
		lease.close();
	}

	@Test
	void leasesMayBeClosedInTheOrderInWhichTheyWereOpened() {
		FencedLease first = open();
		FencedLease second = this.stack.locks().open(LockRequest.of("other")).orElseThrow();
		first.close();
		assertThat(FencingContext.current()).containsSame(second.context());
		second.close();
	}

	@Test
	void anotherThreadIsTold() {
		FencedLease lease = open();
		AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
		Thread other = new Thread(lease::close);
		other.setUncaughtExceptionHandler((thread, ex) -> failure.set(ex));
		other.start();
		join(other);
		assertThat(failure.get()).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("was opened on thread '" + Thread.currentThread().getName() + "'");
		assertThat(this.provider.find("counter")).isNotNull();
		lease.close();
	}

	@Test
	void extensionCountsFromNow() {
		FencedLease lease = this.stack.locks().open(REQUEST.leaseTime(Duration.ofSeconds(20))).orElseThrow();
		assertThat(lease.extend(Duration.ofMinutes(5), Duration.ZERO)).isTrue();
		assertThat(lease.context().remaining()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
		assertThat(remaining()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
		assertThat(lease.extend(Duration.ofSeconds(10), Duration.ZERO)).isTrue();
		assertThat(lease.context().remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
		assertThat(remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10));
		lease.close();
		assertThat(this.provider.find("counter")).isNull();
	}

	@Test
	void extensionEndsTheRenewals() {
		FencedLease lease = this.stack.locks().open(REQUEST.leaseTime(Duration.ofMillis(300))).orElseThrow();
		assertThat(lease.extend(Duration.ofMillis(60), Duration.ZERO)).isTrue();
		Awaitility.await().until(() -> this.provider.find("counter") == null);
		assertThat(lease.context().isLost()).isTrue();
		assertThat(lease.extend(Duration.ofSeconds(1), Duration.ZERO)).isFalse();
		lease.close();
	}

	@Test
	void shortestHoldOfAnExtensionBlocksOthersAfterTheEnd() {
		FencedLease lease = open();
		assertThat(lease.extend(Duration.ofMinutes(5), Duration.ofMinutes(1))).isTrue();
		lease.close();
		assertThat(remaining()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
		assertThat(this.stack.locks().open(REQUEST)).isEmpty();
		this.provider.clear();
	}

	@Test
	void leaseThatAnotherOwnerHasIsNotExtendedAndKnownToBeLost() {
		List<FencingContext> lost = new ArrayList<>();
		LeasedLockTemplate locks = this.stack.locks(new FencingListener() {
			@Override
			public void leaseLost(FencingContext context) {
				lost.add(context);
			}
		});
		FencedLease lease = locks.open(REQUEST).orElseThrow();
		this.provider.clear();
		Optional<FencedLease> successor = CompletableFuture.supplyAsync(() -> this.stack.locks().open(REQUEST)).join();
		assertThat(successor).isPresent();
		assertThat(lease.extend(Duration.ofMinutes(1), Duration.ZERO)).isFalse();
		assertThat(lease.context().isLost()).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(lost).containsExactly(lease.context()));
		lease.close();
		assertThat(this.provider.find("counter")).isNotNull();
		this.provider.clear();
	}

	@Test
	void failureOfTheProviderToExtendIsThrown() {
		FencedLease lease = open();
		this.provider.unreachable = true;
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> lease.extend(Duration.ofMinutes(1), Duration.ZERO))
			.withMessage("Away");
		this.provider.unreachable = false;
		assertThat(lease.extend(Duration.ofMinutes(1), Duration.ZERO)).isTrue();
		lease.close();
	}

	@Test
	void extensionIsNotUndoneByTheLateAnswerToARenewal() {
		CompletableFuture<List<RenewalAnswer>> late = new CompletableFuture<>();
		this.provider.nextAnswer.set(late);
		FencedLease lease = this.stack.locks().open(REQUEST.leaseTime(Duration.ofMillis(1500))).orElseThrow();
		Awaitility.await().until(() -> this.provider.nextAnswer.get() == null);
		assertThat(lease.extend(Duration.ofMillis(600), Duration.ZERO)).isTrue();
		late.complete(List.of(new RenewalAnswer.Renewed()));
		// Answered in turn, after the late one
		FencedLease other = this.stack.locks().open(LockRequest.of("other")).orElseThrow();
		assertThat(other.extend(Duration.ofMinutes(1), Duration.ZERO)).isTrue();
		other.close();
		assertThat(lease.context().remaining()).isLessThanOrEqualTo(Duration.ofMillis(600));
		lease.close();
	}

	@Test
	void closedLeaseIsNotExtended() {
		FencedLease lease = open();
		lease.close();
		assertThatIllegalStateException().isThrownBy(() -> lease.extend(Duration.ofMinutes(1), Duration.ZERO))
			.withMessageContaining("is closed");
	}

	@Test
	void timesThatMakeNoSenseAreRefused() {
		try (FencedLease lease = open()) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> lease.extend(Duration.ofSeconds(1), Duration.ofSeconds(2)))
				.withMessageContaining("The shortest hold");
			assertThatIllegalArgumentException().isThrownBy(() -> lease.extend(Duration.ZERO, Duration.ZERO))
				.withMessageContaining("The lease time");
		}
	}

	private FencedLease open() {
		return this.stack.locks().open(REQUEST).orElseThrow();
	}

	private Duration remaining() {
		LeaseState state = this.provider.find("counter");
		assertThat(state).isNotNull();
		return state.remaining();
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static final class SometimesUnreachable extends DelegatingLeaseProvider {

		private final AtomicReference<@Nullable CompletableFuture<List<RenewalAnswer>>> nextAnswer = new AtomicReference<>();

		private volatile boolean unreachable;

		SometimesUnreachable() {
			super(new InMemoryLeaseProvider());
		}

		@Override
		public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
			CompletableFuture<List<RenewalAnswer>> late = this.nextAnswer.getAndSet(null);
			if (late != null) {
				return late;
			}
			return this.unreachable ? CompletableFuture.failedFuture(new LeaseProviderException("Away"))
					: super.renew(extensions);
		}

		/**
		 * Take the lease away, whoever has it.
		 */
		void clear() {
			LeaseState state = find("counter");
			assertThat(state).isNotNull();
			Lease lease = state.lease();
			release(lease);
		}

	}

}
