package dev.fencing.integration;

import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.CutOffProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * What Spring Integration expects of the locks of a registry, and the fence besides.
 */
@Timeout(60)
abstract class AbstractFencedLockRegistryTests {

	private static final String KEY = "orders";

	private final ExecutorService otherThread = Executors.newSingleThreadExecutor();

	private CutOffProvider leases;

	private FencedStack stack;

	private LockRegistry<?> registry;

	private Lock lock;

	/**
	 * Return what gives out the leases.
	 */
	abstract LeaseProvider leases();

	@BeforeEach
	void open() {
		this.leases = new CutOffProvider(leases());
		this.stack = FencedStack.on(TestDatabase.H2, this.leases, true).withCounter();
		this.registry = new FencedLockRegistry(this.stack.locks());
		this.lock = this.registry.obtain(KEY);
		// Connections are opened in a time of their own
		this.lock.lock();
		this.lock.unlock();
	}

	@AfterEach
	void close() {
		List<FencingContext> left = FencingContextHolder.all();
		left.forEach(FencingContextHolder::unbind);
		try {
			assertThat(left).isEmpty();
			// A leader ends on a thread of its own
			await().untilAsserted(() -> this.stack.assertUnused("integration:orders"));
		}
		finally {
			this.otherThread.shutdownNow();
			this.stack.close();
		}
	}

	@Test
	void othersAreKeptOutUntilItIsUnlocked() {
		this.lock.lock();
		assertThat(FencingContext.require().resource()).isEqualTo("integration:orders");
		assertThat(isFree()).isFalse();
		this.lock.unlock();
		assertThat(isFree()).isTrue();
	}

	@Test
	void lockIsReentrantForItsThread() throws Exception {
		this.lock.lock();
		this.lock.lockInterruptibly();
		assertThat(this.lock.tryLock()).isTrue();
		assertThat(this.lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
		long generation = FencingContext.require().generation();
		for (int i = 0; i < 3; i++) {
			this.lock.unlock();
			assertThat(isFree()).isFalse();
			assertThat(FencingContext.require().generation()).isEqualTo(generation);
		}
		this.lock.unlock();
		assertThat(isFree()).isTrue();
	}

	@Test
	void locksOfOneKeyAreTheSame() {
		this.lock.lock();
		Lock same = this.registry.obtain("ord" + "ers".toLowerCase());
		assertThat(same.tryLock()).isTrue();
		this.lock.unlock();
		assertThat(isFree()).isFalse();
		same.unlock();
		assertThat(isFree()).isTrue();
	}

	@Test
	void locksOfOtherKeysAreFree() {
		Lock other = this.registry.obtain("invoices");
		this.lock.lock();
		other.lock();
		this.lock.unlock();
		assertThat(isFree()).isTrue();
		other.unlock();
	}

	@Test
	void keyIsWhatHasATextOfItsOwn() {
		UUID id = UUID.randomUUID();
		for (Object key : new Object[] { id, 42, "a:b c", TimeUnit.DAYS }) {
			Lock own = this.registry.obtain(key);
			own.lock();
			assertThat(FencingContext.require().resource()).isEqualTo("integration:" + key);
			own.unlock();
		}
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.obtain(new Object()));
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.obtain(" "));
		assertThatIllegalArgumentException().isThrownBy(() -> this.registry.obtain("x".repeat(400)));
	}

	@Test
	void lockNameMayBeAnother() {
		Lock own = new FencedLockRegistry(this.stack.locks(), "flow").obtain(KEY);
		own.lock();
		assertThat(FencingContext.require().resource()).isEqualTo("flow:orders");
		assertThat(isFree()).isTrue();
		own.unlock();
	}

	@Test
	void otherThreadCannotUnlockIt() {
		this.lock.lock();
		assertThat(elsewhere(() -> failureOf(this.lock::unlock))).isInstanceOf(IllegalMonitorStateException.class);
		assertThat(isFree()).isFalse();
		this.lock.unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(this.lock::unlock)
			.withMessageContaining("integration:orders");
	}

	@Test
	void lockWaitsForItsHolder() {
		Holder holder = new Holder();
		int refusals = this.leases.refusals();
		CompletableFuture<Long> waiting = CompletableFuture.supplyAsync(() -> {
			this.lock.lock();
			long generation = FencingContext.require().generation();
			this.lock.unlock();
			return generation;
		});
		awaitRefusal(refusals);
		assertThat(waiting).isNotDone();
		holder.release();
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(30))
			.satisfies((generation) -> assertThat(generation).isGreaterThan(holder.generation));
	}

	@Test
	void attemptEndsWithItsTime() throws Exception {
		Holder holder = new Holder();
		assertThat(this.lock.tryLock()).isFalse();
		assertThat(this.lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
		assertThat(this.lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
		holder.release();
		assertThat(this.lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
		this.lock.unlock();
	}

	@Test
	void waitingMayBeInterrupted() throws Exception {
		Holder holder = new Holder();
		for (Interruptible attempt : new Interruptible[] { this.lock::lockInterruptibly,
				() -> this.lock.tryLock(1, TimeUnit.HOURS) }) {
			AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
			AtomicBoolean interrupted = new AtomicBoolean();
			Thread thread = new Thread(() -> {
				failure.set(failureOf(attempt));
				interrupted.set(Thread.currentThread().isInterrupted());
			});
			int refusals = this.leases.refusals();
			thread.start();
			awaitRefusal(refusals);
			thread.interrupt();
			thread.join();
			assertThat(failure.get()).isInstanceOf(InterruptedException.class);
			assertThat(interrupted).isFalse();
		}
		holder.release();
	}

	@Test
	void threadThatIsInterruptedAlreadyDoesNotLock() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.lock::lockInterruptibly);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.lock.tryLock(1, TimeUnit.HOURS));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(isFree()).isTrue();
	}

	@Test
	void lockIsTakenInSpiteOfAnInterruption() throws Exception {
		Holder holder = new Holder();
		AtomicBoolean locked = new AtomicBoolean();
		AtomicBoolean interrupted = new AtomicBoolean();
		Thread thread = new Thread(() -> {
			this.lock.lock();
			locked.set(true);
			interrupted.set(Thread.currentThread().isInterrupted());
			this.lock.unlock();
		});
		for (int i = 0; i < 2; i++) {
			int refusals = this.leases.refusals();
			if (i == 0) {
				thread.start();
			}
			else {
				thread.interrupt();
			}
			awaitRefusal(refusals);
		}
		assertThat(locked).isFalse();
		holder.release();
		thread.join();
		assertThat(locked).isTrue();
		assertThat(interrupted).isTrue();
	}

	@Test
	void attemptOfAnInterruptedThreadIsMade() {
		Thread.currentThread().interrupt();
		assertThat(this.lock.tryLock()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		this.lock.unlock();
	}

	@Test
	void providerThatFailsIsTold() {
		this.leases.cutOff();
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(this.lock::lock);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(this.lock::tryLock);
		this.leases.reconnect();
		assertThat(isFree()).isTrue();
	}

	@Test
	void conditionsAreNotSupported() {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(this.lock::newCondition);
	}

	@Test
	void taskRunsLocked() throws Exception {
		assertThat(this.registry.<Boolean, RuntimeException>executeLocked(KEY, this::isFree)).isFalse();
		Holder holder = new Holder();
		assertThatExceptionOfType(TimeoutException.class).isThrownBy(
				() -> this.registry.<Boolean, RuntimeException>executeLocked(KEY, Duration.ofMillis(20), this::isFree));
		holder.release();
	}

	@Test
	void transactionIsRefusedOnceAnotherOwnerHasRegistered() {
		this.lock.lock();
		this.stack.increment();
		this.stack.takeOver(FencingContext.require());
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.stack::increment);
		this.lock.unlock();
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void lockIsNotTakenInsideATransaction() {
		assertThatExceptionOfType(LockInsideTransactionException.class)
			.isThrownBy(() -> this.stack.transaction().executeWithoutResult((transaction) -> this.lock.lock()));
		assertThat(isFree()).isTrue();
	}

	@Test
	void lockThatWasLostIsNotLockedAgainBeforeItIsUnlocked() {
		Lock brief = brief().obtain(KEY);
		brief.lock();
		this.leases.cutOffOwners();
		await().until(this::isFree);
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(brief::tryLock)
			.withMessageContaining("was lost while this thread held it");
		assertThatExceptionOfType(LeaseUnavailableException.class).isThrownBy(brief::lock);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.stack::increment);
		assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(brief::unlock)
			.withMessageContaining("integration:orders");
		assertThat(FencingContext.current()).isEmpty();
		this.leases.reconnect();
		assertThat(brief.tryLock()).isTrue();
		brief.unlock();
	}

	@Test
	void leaderStepsDownWhenItsLeaseIsLostAndMayBecomeLeaderAgain() throws Exception {
		Candidate candidate = new Candidate("first");
		LockRegistryLeaderInitiator leader = initiator(brief(), candidate);
		try {
			await().until(() -> leader.getContext().isLeader());
			this.leases.cutOff();
			await().until(() -> candidate.revoked.getCount() == 0);
			assertThat(leader.getContext().isLeader()).isFalse();
			this.leases.reconnect();
			await().until(() -> leader.getContext().isLeader());
		}
		finally {
			leader.stop();
		}
	}

	@Test
	void thereIsOneLeaderAndAnotherOneComesAfterIt() {
		LockRegistryLeaderInitiator first = initiator(this.registry, new Candidate("first"));
		await().until(() -> first.getContext().isLeader());
		int refusals = this.leases.refusals();
		LockRegistryLeaderInitiator second = initiator(this.registry, new Candidate("second"));
		try {
			awaitRefusal(refusals);
			assertThat(second.getContext().isLeader()).isFalse();
			first.stop();
			await().until(() -> second.getContext().isLeader());
			assertThat(first.getContext().isLeader()).isFalse();
		}
		finally {
			second.stop();
		}
	}

	/**
	 * Return a registry whose leases are over soon.
	 */
	private FencedLockRegistry brief() {
		return new FencedLockRegistry(new ShortLeases(this.stack.locks()));
	}

	private LockRegistryLeaderInitiator initiator(LockRegistry<?> locks, Candidate candidate) {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(locks, candidate);
		initiator.setLeaderEventPublisher(new DefaultLeaderEventPublisher((event) -> {
		}));
		initiator.setHeartBeatMillis(20);
		initiator.setBusyWaitMillis(20);
		initiator.start();
		return initiator;
	}

	/**
	 * Wait until somebody has asked in vain since a count was taken.
	 */
	private void awaitRefusal(int before) {
		await().until(() -> this.leases.refusals() > before);
	}

	/**
	 * Return whether another thread gets the lock, which gives it back at once.
	 */
	private boolean isFree() {
		return elsewhere(() -> {
			boolean locked = this.lock.tryLock();
			if (locked) {
				this.lock.unlock();
			}
			return locked;
		});
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

	private static @Nullable Throwable failureOf(Interruptible action) {
		try {
			action.run();
			return null;
		}
		catch (Exception ex) {
			return ex;
		}
	}

	/**
	 * Has the lock on a thread of its own until it is told to release it.
	 */
	private final class Holder {

		private final CountDownLatch end = new CountDownLatch(1);

		private final CompletableFuture<Void> done;

		private volatile long generation;

		Holder() {
			CountDownLatch held = new CountDownLatch(1);
			this.done = CompletableFuture.runAsync(() -> hold(held), (task) -> new Thread(task).start());
			await().until(() -> held.getCount() == 0);
		}

		private void hold(CountDownLatch held) {
			Lock own = AbstractFencedLockRegistryTests.this.registry.obtain(KEY);
			own.lock();
			this.generation = FencingContext.require().generation();
			held.countDown();
			try {
				this.end.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			own.unlock();
		}

		void release() {
			this.end.countDown();
			this.done.join();
		}

	}

	@FunctionalInterface
	private interface Interruptible {

		void run() throws Exception;

	}

	private static final class Candidate extends DefaultCandidate {

		private final CountDownLatch revoked = new CountDownLatch(1);

		Candidate(String id) {
			super(id, KEY);
		}

		@Override
		public void onRevoked(Context context) {
			this.revoked.countDown();
		}

	}

}
