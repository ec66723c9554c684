package dev.fencing.shedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseState;
import dev.fencing.testsupport.CutOffProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What ShedLock promises of a lock provider, and the fence besides.
 */
@Timeout(60)
abstract class AbstractFencedLockProviderTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration BRIEF = Duration.ofMillis(200);

	private static final String JOB = "job";

	private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

	private CutOffProvider leases;

	private FencedStack stack;

	private FencedLockProvider provider;

	/**
	 * Return what gives out the leases.
	 */
	abstract LeaseProvider leases();

	@BeforeEach
	void open() {
		this.leases = new CutOffProvider(leases());
		this.stack = FencedStack.on(TestDatabase.H2, this.leases, true).withCounter();
		this.provider = new FencedLockProvider(this.stack.locks());
		// Connections are opened in a time of their own
		lock("warm-up").unlock();
	}

	@AfterEach
	void close() {
		List<FencingContext> left = FencingContextHolder.all();
		left.forEach(FencingContextHolder::unbind);
		this.otherThread.shutdownNow();
		this.stack.close();
		assertThat(left).isEmpty();
	}

	@Test
	void othersAreKeptOutUntilItIsUnlocked() {
		SimpleLock lock = lock(JOB);
		assertThat(isFree(JOB)).isFalse();
		lock.unlock();
		assertThat(isFree(JOB)).isTrue();
		this.stack.assertUnused("shedlock:job");
	}

	@Test
	void lockOfTheSameThreadIsNotLockedAgain() {
		SimpleLock lock = lock(JOB);
		assertThat(this.provider.lock(configuration(JOB, LONG, Duration.ZERO))).isEmpty();
		lock.unlock();
		lock(JOB).unlock();
	}

	@Test
	void lockThatTheThreadHasByItsResourceIsNotLockedAgain() {
		this.stack.locks()
			.executeWithoutResult(LockRequest.of("shedlock").key(JOB),
					(context) -> assertThat(this.provider.lock(configuration(JOB, LONG, Duration.ZERO))).isEmpty());
	}

	@Test
	void locksOfOtherNamesAreFree() {
		SimpleLock lock = lock(JOB);
		SimpleLock other = lock("other job");
		assertThat(isFree("third job")).isTrue();
		// Not in the reverse order
		lock.unlock();
		assertThat(isFree("other job")).isFalse();
		other.unlock();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a:b:c", "with some spaces", "Zeilenumbruch\nund Umlaute: äöü", "#{not evaluated}" })
	void nameMayBeAnyText(String name) {
		SimpleLock lock = lock(name);
		assertThat(FencingContext.require().resource()).isEqualTo("shedlock:" + name);
		assertThat(isFree(name)).isFalse();
		lock.unlock();
		assertThat(isFree(name)).isTrue();
	}

	@Test
	void lockNameMayBeAnother() {
		FencedLockProvider named = new FencedLockProvider(this.stack.locks(), "job");
		SimpleLock lock = named.lock(configuration("a:b", LONG, Duration.ZERO)).orElseThrow();
		assertThat(FencingContext.require().name()).isEqualTo("job");
		assertThat(FencingContext.require().resource()).isEqualTo("job:a:b");
		assertThat(isFree("a:b")).isTrue();
		lock.unlock();
		assertThatIllegalArgumentException().isThrownBy(() -> new FencedLockProvider(this.stack.locks(), "a:b"));
	}

	@Test
	void nameThatCannotBeAResourceIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> lock("  "))
			.withMessageContaining("ShedLock's lock '  ' cannot be a lease")
			.withMessageContaining("is blank");
		assertThatIllegalArgumentException().isThrownBy(() -> lock("x".repeat(392)))
			.withMessageContaining("cannot be a lease")
			.withMessageContaining("at most 400");
		lock("x".repeat(391)).unlock();
	}

	@Test
	void timeThatNoLeaseCanHaveIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.provider.lock(configuration(JOB, Duration.ofMillis(9), Duration.ZERO)))
			.withMessageContaining("'job'")
			.withMessageContaining("at least 10 ms");
	}

	@Test
	void lockEndsAfterLockAtMostForAndIsNotRenewed() {
		SimpleLock lock = lock(JOB, BRIEF, Duration.ZERO);
		FencingContext context = FencingContext.require();
		await().until(() -> isFree(JOB));
		assertThat(context.isLost()).isTrue();
		lock.unlock();
	}

	@Test
	void lockAtMostForIsNotCutByTheLeaseTimeOfOthers() {
		SimpleLock lock = lock(JOB, LONG, Duration.ZERO);
		assertThat(remaining(JOB)).isBetween(Duration.ofMinutes(4), LONG);
		lock.unlock();
	}

	@Test
	void lockAtLeastForKeepsOthersOutAfterItIsUnlocked() {
		lock(JOB, LONG, Duration.ofMinutes(1)).unlock();
		assertThat(isFree(JOB)).isFalse();
		assertThat(this.provider.lock(configuration(JOB, LONG, Duration.ZERO))).isEmpty();
		assertThat(remaining(JOB)).isBetween(Duration.ofSeconds(40), Duration.ofMinutes(1));
	}

	@Test
	void lockIsFreeWhenLockAtLeastForIsOver() {
		lock(JOB, LONG, BRIEF).unlock();
		await().until(() -> isFree(JOB));
	}

	@Test
	void extensionReplacesTheLockAndCountsFromNow() {
		SimpleLock lock = lock(JOB, Duration.ofSeconds(20), Duration.ZERO);
		SimpleLock extended = lock.extend(LONG, Duration.ZERO).orElseThrow();
		assertThat(remaining(JOB)).isBetween(Duration.ofMinutes(4), LONG);
		assertOver(lock);
		assertThat(isFree(JOB)).isFalse();
		extended.unlock();
		assertOver(extended);
		assertThat(isFree(JOB)).isTrue();
	}

	@Test
	void extensionMayEndTheLockSooner() {
		SimpleLock lock = lock(JOB, LONG, Duration.ZERO).extend(BRIEF, Duration.ZERO).orElseThrow();
		await().until(() -> isFree(JOB));
		lock.unlock();
	}

	@Test
	void lockAtLeastForOfAnExtensionCountsFromNow() {
		lock(JOB, LONG, Duration.ZERO).extend(LONG, Duration.ofMinutes(1)).orElseThrow().unlock();
		assertThat(isFree(JOB)).isFalse();
		assertThat(remaining(JOB)).isBetween(Duration.ofSeconds(40), Duration.ofMinutes(1));
	}

	@Test
	void lockThatIsLostIsNotExtendedAndOnlyTakenOffItsThread() {
		SimpleLock lock = lock(JOB, BRIEF, Duration.ZERO);
		await().until(() -> isFree(JOB));
		assertThat(lock.extend(LONG, Duration.ZERO)).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> lock.extend(LONG, Duration.ZERO))
			.withMessage("The lock 'job' was lost already");
		assertThat(FencingContext.current()).as("still guarded").isPresent();
		lock.unlock();
		assertThat(FencingContext.current()).isEmpty();
		assertOver(lock);
		lock(JOB).unlock();
	}

	@Test
	void lockWhoseExtensionFailedIsHeldAsBefore() {
		SimpleLock lock = lock(JOB);
		this.leases.cutOff();
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> lock.extend(LONG, Duration.ZERO));
		this.leases.reconnect();
		lock.extend(LONG, Duration.ZERO).orElseThrow().unlock();
	}

	@Test
	void lockIsUnlockedOnce() {
		SimpleLock lock = lock(JOB);
		lock.unlock();
		assertOver(lock);
	}

	@Test
	void lockIsUnlockedByItsThread() {
		SimpleLock lock = lock(JOB);
		assertThat(elsewhere(() -> failureOf(lock::unlock))).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("was opened on thread '" + Thread.currentThread().getName() + "'");
		assertThat(isFree(JOB)).isFalse();
		lock.unlock();
	}

	@Test
	void transactionIsRefusedOnceAnotherOwnerHasRegistered() {
		SimpleLock lock = lock(JOB);
		this.stack.increment();
		this.stack.takeOver(FencingContext.require());
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.stack::increment);
		lock.unlock();
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void lockIsNotTakenInsideATransaction() {
		assertThatExceptionOfType(LockInsideTransactionException.class)
			.isThrownBy(() -> this.stack.transaction().executeWithoutResult((transaction) -> lock(JOB)));
		assertThat(isFree(JOB)).isTrue();
	}

	@Test
	void taskRunsLockedAndAnotherOneIsSkipped() {
		AtomicInteger runs = new AtomicInteger();
		execute(JOB, () -> {
			LockAssert.assertLocked();
			assertThat(FencingContext.require().resource()).isEqualTo("shedlock:job");
			elsewhere(() -> {
				execute(JOB, runs::incrementAndGet);
				return null;
			});
			// ShedLock itself lets a task of the same name run inside
			execute(JOB, runs::incrementAndGet);
			this.stack.increment();
		});
		assertThat(runs).hasValue(1);
		assertThat(this.stack.counter()).isOne();
		assertThat(isFree(JOB)).isTrue();
	}

	@Test
	void taskDoesNotRunWithoutAProvider() {
		AtomicInteger runs = new AtomicInteger();
		this.leases.cutOff();
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> execute(JOB, runs::incrementAndGet));
		assertThat(runs).hasValue(0);
	}

	@Test
	void taskThatFailsUnlocks() {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> execute(JOB, () -> {
			throw new UnsupportedOperationException();
		}));
		assertThat(isFree(JOB)).isTrue();
	}

	@Test
	void taskExtendsItsLock() {
		execute(JOB, () -> {
			LockExtender.extendActiveLock(Duration.ofMinutes(30), Duration.ZERO);
			assertThat(remaining(JOB)).isGreaterThan(Duration.ofMinutes(20));
			LockExtender.extendActiveLock(Duration.ofMinutes(60), Duration.ZERO);
			assertThat(remaining(JOB)).isGreaterThan(Duration.ofMinutes(50));
		});
		assertThat(isFree(JOB)).isTrue();
	}

	@Test
	void taskThatCannotExtendItsLockIsStillGuardedAndLeavesNothingBehind() {
		execute(JOB, () -> {
			LockExtender.extendActiveLock(BRIEF, Duration.ZERO);
			await().until(() -> isFree(JOB));
			assertThatExceptionOfType(LockExtender.LockCanNotBeExtendedException.class)
				.isThrownBy(() -> LockExtender.extendActiveLock(LONG, Duration.ZERO));
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.stack::increment);
		});
		assertThat(FencingContext.current()).isEmpty();
		execute(JOB, this.stack::increment);
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void lockIsKeptAliveFromAnotherThread() throws Exception {
		try (HandDrivenScheduler scheduler = new HandDrivenScheduler()) {
			LockProvider keepAlive = new KeepAliveLockProvider(this.provider, scheduler);
			SimpleLock lock = keepAlive.lock(configuration(JOB, Duration.ofSeconds(30), Duration.ZERO)).orElseThrow();
			for (int i = 0; i < 2; i++) {
				await().until(() -> remaining(JOB).compareTo(Duration.ofSeconds(29)) < 0);
				Duration before = remaining(JOB);
				scheduler.fire();
				assertThat(remaining(JOB)).isGreaterThan(before);
			}
			this.stack.increment();
			lock.unlock();
			assertThat(isFree(JOB)).isTrue();
			scheduler.fire();
			assertThat(isFree(JOB)).isTrue();
		}
	}

	@Test
	void lockThatIsLostIsNotKeptAlive() throws Exception {
		try (HandDrivenScheduler scheduler = new HandDrivenScheduler()) {
			LockProvider keepAlive = new KeepAliveLockProvider(this.provider, scheduler);
			SimpleLock lock = keepAlive.lock(configuration(JOB, Duration.ofSeconds(30), Duration.ZERO)).orElseThrow();
			LeaseState state = this.leases.find("shedlock:job");
			assertThat(state).isNotNull();
			this.leases.release(state.lease());
			scheduler.fire();
			assertThat(FencingContext.require().isLost()).isTrue();
			assertThat(isFree(JOB)).isTrue();
			lock.unlock();
		}
	}

	private SimpleLock lock(String name) {
		return lock(name, LONG, Duration.ZERO);
	}

	private SimpleLock lock(String name, Duration lockAtMostFor, Duration lockAtLeastFor) {
		Optional<SimpleLock> lock = this.provider.lock(configuration(name, lockAtMostFor, lockAtLeastFor));
		assertThat(lock).isPresent();
		return lock.orElseThrow();
	}

	static LockConfiguration configuration(String name, Duration lockAtMostFor, Duration lockAtLeastFor) {
		return new LockConfiguration(Instant.now(), name, lockAtMostFor, lockAtLeastFor);
	}

	private void execute(String name, Runnable task) {
		LockingTaskExecutor executor = new DefaultLockingTaskExecutor(this.provider);
		executor.executeWithLock(task, configuration(name, LONG, Duration.ZERO));
	}

	/**
	 * Return whether another thread gets a lock, which gives it back at once.
	 */
	private boolean isFree(String name) {
		return elsewhere(() -> {
			Optional<SimpleLock> lock = this.provider.lock(configuration(name, LONG, Duration.ZERO));
			lock.ifPresent(SimpleLock::unlock);
			return lock.isPresent();
		});
	}

	private Duration remaining(String name) {
		LeaseState state = this.leases.find("shedlock:" + name);
		assertThat(state).isNotNull();
		return state.remaining();
	}

	private <T extends @Nullable Object> T elsewhere(Callable<T> task) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return task.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}, this.otherThread).join();
	}

	private static @Nullable Throwable failureOf(Runnable action) {
		try {
			action.run();
			return null;
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	private static void assertOver(SimpleLock lock) {
		assertThatIllegalStateException().isThrownBy(lock::unlock).withMessageContaining("unlocked or extended");
		assertThatIllegalStateException().isThrownBy(() -> lock.extend(LONG, Duration.ZERO));
	}

	/**
	 * Runs what it is to repeat when it is told to, on its own thread.
	 */
	private static final class HandDrivenScheduler extends ScheduledThreadPoolExecutor implements AutoCloseable {

		private volatile @Nullable Runnable repeated;

		HandDrivenScheduler() {
			super(1);
		}

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
			this.repeated = command;
			return super.scheduleAtFixedRate(command, 1, 1, TimeUnit.DAYS);
		}

		void fire() throws Exception {
			submit(this.repeated).get();
		}

		@Override
		public void close() {
			shutdownNow();
		}

	}

}
