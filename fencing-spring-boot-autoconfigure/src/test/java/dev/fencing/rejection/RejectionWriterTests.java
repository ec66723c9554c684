package dev.fencing.rejection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.testsupport.CapturedLog;
import dev.fencing.testsupport.SomeRejections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RejectionWriter}.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RejectionWriterTests {

	private static final Duration FLUSH = Duration.ofSeconds(2);

	private final RecordingSink sink = new RecordingSink();

	private final CapturedLog log = CapturedLog.of(RejectionWriter.class);

	private @Nullable RejectionWriter writer;

	@AfterEach
	void close() {
		this.sink.available();
		if (this.writer != null) {
			this.writer.close();
		}
		this.log.close();
	}

	@Test
	void storesWhatComesInItsOrder() {
		RejectionWriter writer = writer(1_000);
		reject(writer, 1, 250);
		eventuallyStored(resources(1, 250));
		assertThat(writer.waiting()).isZero();
		assertThat(writer.dropped()).isZero();
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void hasOneDaemonThreadFromTheFirstRejectionOn() {
		Set<Thread> before = threads();
		RejectionWriter writer = writer(10);
		writer.start();
		// Those of other tests may end meanwhile
		assertThat(before).containsAll(threads());
		reject(writer, 1, 5);
		eventuallyStored(resources(1, 5));
		reject(writer, 6, 6);
		eventuallyStored(resources(1, 6));
		assertThat(this.sink.threads()).singleElement().satisfies((thread) -> {
			assertThat(thread.getName()).isEqualTo("fencing-rejections");
			assertThat(thread.isDaemon()).isTrue();
		});
	}

	@Test
	void threadHasTheClassLoaderOfTheWriterWhoeverStartsIt() throws Exception {
		RejectionWriter writer = writer(10);
		Thread caller = new Thread(() -> reject(writer, 1, 1));
		caller.setContextClassLoader(new ClassLoader() {
		});
		caller.start();
		caller.join();
		eventuallyStored(resources(1, 1));
		assertThat(this.sink.threads()).singleElement()
			.returns(RejectionWriter.class.getClassLoader(), Thread::getContextClassLoader);
	}

	@Test
	void threadEndsWithTheWriter() {
		RejectionWriter writer = writer(10);
		reject(writer, 1, 1);
		eventuallyStored(resources(1, 1));
		writer.close();
		assertThat(this.sink.threads()).singleElement().matches((thread) -> !thread.isAlive());
	}

	@Test
	void callerIsNotDelayedWhileTheStoreHangs() {
		RejectionWriter writer = writer(1_000);
		CountDownLatch gate = this.sink.hang();
		reject(writer, 1, 1);
		eventually(() -> this.sink.calls() == 1);
		// Returns, although nobody lets the store go on
		reject(writer, 2, 500);
		assertThat(writer.waiting()).isEqualTo(500);
		assertThat(this.sink.stored()).isEmpty();
		gate.countDown();
		eventuallyStored(resources(1, 500));
	}

	@Test
	void whatFindsNoRoomIsDroppedAndCounted() {
		RejectionWriter writer = writer(3);
		CountDownLatch gate = this.sink.hang();
		reject(writer, 1, 10);
		assertThat(writer.waiting()).isEqualTo(3);
		assertThat(writer.dropped()).isEqualTo(7);
		assertThat(this.log.lines()).isEmpty();
		gate.countDown();
		eventuallyStored(resources(1, 3));
		eventually(() -> !this.log.lines().isEmpty());
		assertThat(this.log.lines())
			.containsExactly("WARN 7 rejections were not stored, since 3 were waiting for that already");
		reject(writer, 11, 11);
		eventually(() -> this.sink.stored().size() == 4);
		assertThat(writer.dropped()).isEqualTo(7);
		assertThat(this.log.lines()).hasSize(1);
	}

	@Test
	void everyoneIsCountedOnce() throws Exception {
		RejectionWriter writer = writer(50);
		CountDownLatch gate = this.sink.hang();
		int callers = 8;
		CyclicBarrier together = new CyclicBarrier(callers);
		List<Thread> threads = IntStream.range(0, callers).mapToObj((caller) -> new Thread(() -> {
			await(together);
			reject(writer, caller * 100, caller * 100 + 99);
		})).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(writer.waiting()).isEqualTo(50);
		assertThat(writer.dropped()).isEqualTo(750);
		gate.countDown();
		eventually(() -> writer.waiting() == 0);
		assertThat(this.sink.stored()).hasSize(50).doesNotHaveDuplicates();
	}

	@Test
	void storeThatIsAwayIsTriedAgainAndToldOnce() {
		RejectionWriter writer = writer(1_000);
		this.sink.unavailable();
		reject(writer, 1, 150);
		eventually(() -> this.sink.calls() >= 4);
		assertThat(writer.waiting()).isEqualTo(150);
		this.sink.available();
		eventuallyStored(resources(1, 150));
		eventually(() -> this.log.lines().size() == 2);
		assertThat(this.log.lines().get(0)).startsWith("WARN Rejections cannot be stored now")
			.contains("up to 1000", "'away\\nfor now'");
		assertThat(this.log.lines().get(1)).isEqualTo("INFO Rejections are stored again");
		assertThat(writer.dropped()).isZero();
	}

	@Test
	void nextOutageIsToldAgain() {
		RejectionWriter writer = writer(10);
		for (int outage = 1; outage <= 2; outage++) {
			int lines = 2 * outage;
			this.sink.unavailable();
			reject(writer, outage, outage);
			eventually(() -> this.log.lines().size() == lines - 1);
			this.sink.available();
			eventually(() -> this.log.lines().size() == lines);
		}
		assertThat(this.sink.stored()).isEqualTo(resources(1, 2));
	}

	@Test
	void oneThatCannotBeStoredDoesNotKeepTheOthers() {
		RejectionWriter writer = writer(100);
		CountDownLatch gate = this.sink.hang();
		reject(writer, 1, 1);
		eventually(() -> this.sink.calls() == 1);
		this.sink.before((entries) -> {
			if (entries.stream().anyMatch((entry) -> entry.rejection().resource().equals("document:5"))) {
				throw new IllegalArgumentException("poisoned\nrow");
			}
		});
		reject(writer, 2, 9);
		gate.countDown();
		eventually(() -> writer.waiting() == 0);
		assertThat(this.sink.stored()).containsExactlyElementsOf(
				resources(1, 9).stream().filter((resource) -> !resource.equals("document:5")).toList());
		assertThat(writer.dropped()).isOne();
		assertThat(this.log.lines()).singleElement()
			.asString()
			.startsWith("WARN A rejection could not be stored and was dropped: resource 'document:5', rejected token")
			.endsWith("'poisoned\\nrow'");
	}

	@Test
	void outageBetweenSingleOnesKeepsTheRest() {
		RejectionWriter writer = writer(100);
		CountDownLatch gate = this.sink.hang();
		reject(writer, 1, 1);
		eventually(() -> this.sink.calls() == 1);
		AtomicInteger attempts = new AtomicInteger();
		this.sink.before((entries) -> {
			if (entries.size() > 1 && attempts.get() == 0) {
				throw new IllegalArgumentException("poisoned");
			}
			if (attempts.incrementAndGet() == 3) {
				throw new RejectionSinkUnavailableException("away", new IllegalStateException());
			}
		});
		reject(writer, 2, 6);
		gate.countDown();
		eventuallyStored(resources(1, 6));
		assertThat(writer.dropped()).isZero();
	}

	@Test
	void noErrorEndsTheThread() {
		RejectionWriter writer = writer(100);
		AtomicInteger attempts = new AtomicInteger();
		this.sink.before((entries) -> {
			if (attempts.incrementAndGet() <= 2) {
				throw new NoClassDefFoundError("some/Driver");
			}
		});
		reject(writer, 1, 1);
		eventually(() -> writer.dropped() == 1);
		reject(writer, 2, 2);
		eventuallyStored(resources(2, 2));
		assertThat(this.sink.threads()).hasSize(1);
	}

	@Test
	void lackOfMemoryDropsNothing() {
		RejectionWriter writer = writer(100);
		AtomicInteger attempts = new AtomicInteger();
		this.sink.before((entries) -> {
			if (attempts.incrementAndGet() <= 3) {
				throw new OutOfMemoryError("for a moment");
			}
		});
		reject(writer, 1, 20);
		eventuallyStored(resources(1, 20));
		assertThat(attempts).hasValueGreaterThan(3);
		assertThat(writer.dropped()).isZero();
	}

	@Test
	void interruptionDoesNotEndTheThread() {
		RejectionWriter writer = writer(100);
		reject(writer, 1, 1);
		eventuallyStored(resources(1, 1));
		this.sink.threads().forEach(Thread::interrupt);
		eventually(() -> this.sink.threads().stream().noneMatch(Thread::isInterrupted));
		reject(writer, 2, 2);
		eventuallyStored(resources(1, 2));
		assertThat(this.sink.threads()).hasSize(1);
	}

	@Test
	void closingStoresWhatWaits() {
		RejectionWriter writer = writer(1_000);
		CountDownLatch gate = this.sink.hang();
		reject(writer, 1, 350);
		this.sink.before((entries) -> Thread.yield());
		gate.countDown();
		writer.close();
		assertThat(this.sink.stored()).isEqualTo(resources(1, 350));
		assertThat(writer.dropped()).isZero();
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void closingDoesNotWaitOutThePauseOfAnOutage() {
		RejectionWriter writer = writer(10);
		this.sink.unavailable();
		reject(writer, 1, 2);
		// The next attempt would be more than three seconds away
		eventually(() -> this.sink.calls() >= 6);
		this.sink.available();
		writer.close();
		assertThat(this.sink.stored()).isEqualTo(resources(1, 2));
	}

	@Test
	void closingOnAnInterruptedThreadStoresWhatWaits() throws Exception {
		RejectionWriter writer = writer(1_000);
		CountDownLatch gate = this.sink.hang();
		reject(writer, 1, 50);
		AtomicBoolean stillInterrupted = new AtomicBoolean();
		Thread closer = new Thread(() -> {
			Thread.currentThread().interrupt();
			writer.close();
			stillInterrupted.set(Thread.currentThread().isInterrupted());
		});
		closer.start();
		eventually(() -> closer.getState() == Thread.State.TIMED_WAITING);
		// Once more, while it waits
		closer.interrupt();
		gate.countDown();
		closer.join();
		assertThat(this.sink.stored()).isEqualTo(resources(1, 50));
		assertThat(writer.dropped()).isZero();
		assertThat(stillInterrupted).isTrue();
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void whatIsBeingStoredAtTheEndIsCountedByItsOutcome() {
		for (boolean stored : List.of(true, false)) {
			RecordingSink sink = new RecordingSink();
			RejectionWriter writer = new RejectionWriter(sink, 1_000, null);
			CountDownLatch gate = sink.hang();
			reject(writer, 1, 1);
			eventually(() -> sink.calls() == 1);
			if (!stored) {
				sink.unavailable();
			}
			reject(writer, 2, 7);
			writer.close();
			assertThat(writer.dropped()).isEqualTo(6);
			assertThat(writer.waiting()).isOne();
			gate.countDown();
			eventually(() -> writer.waiting() == 0);
			assertThat(sink.stored()).hasSize(stored ? 1 : 0);
			assertThat(writer.dropped()).isEqualTo(stored ? 6 : 7);
			eventually(() -> sink.threads().stream().noneMatch(Thread::isAlive));
		}
		assertThat(this.log.lines()).contains("WARN 6 rejections were not stored before the application ended",
				"WARN 1 rejections are still being stored, which the application does not wait for",
				"WARN 1 rejections were not stored before the application ended");
	}

	@Test
	void eachIsStoredOrDroppedWheneverItComes() throws Exception {
		for (int round = 0; round < 50; round++) {
			RecordingSink sink = new RecordingSink();
			RejectionWriter writer = new RejectionWriter(sink, 1_000, null);
			List<Thread> callers = IntStream.range(0, 4)
				.mapToObj((caller) -> new Thread(() -> reject(writer, caller * 100, caller * 100 + 99)))
				.toList();
			callers.forEach(Thread::start);
			writer.close();
			for (Thread caller : callers) {
				caller.join();
			}
			eventually(() -> writer.waiting() == 0);
			assertThat(sink.stored().size() + writer.dropped()).isEqualTo(400);
		}
	}

	@Test
	void closingGivesUpOnAStoreThatIsAway() {
		RejectionWriter writer = writer(3);
		this.sink.unavailable();
		reject(writer, 1, 5);
		writer.close();
		assertThat(writer.dropped()).isEqualTo(5);
		assertThat(this.log.lines()).contains("WARN 3 rejections were not stored before the application ended",
				"WARN 2 rejections were not stored, since 3 were waiting for that already");
		eventually(() -> this.sink.threads().stream().noneMatch(Thread::isAlive));
	}

	@Test
	void whatComesTooLateIsCounted() {
		RejectionWriter writer = writer(10);
		writer.close();
		reject(writer, 1, 2);
		assertThat(writer.dropped()).isEqualTo(2);
		assertThat(this.sink.calls()).isZero();
	}

	@Test
	void oldOnesAreDeletedInPortionsThoughNothingIsRefused() {
		int portion = RejectionRetention.PORTION;
		this.sink.deletes(portion, portion, 20);
		Instant before = Instant.now();
		RejectionWriter writer = writer(Duration.ofDays(30));
		writer.start();
		eventually(() -> this.sink.deletions().size() == 3);
		assertThat(this.sink.deletions())
			.allSatisfy((time) -> assertThat(time.plus(Duration.ofDays(30))).isBetween(before, Instant.now()));
		// The fourth is due in an hour
		reject(writer, 1, 1);
		eventuallyStored(resources(1, 1));
		assertThat(this.sink.deletions()).hasSize(3);
	}

	@Test
	void nothingIsDroppedWhileMuchIsDeleted() {
		RejectionWriter writer = writer(Duration.ofDays(30));
		int portion = RejectionRetention.PORTION;
		AtomicInteger last = new AtomicInteger();
		// More than a batch, and the queue has room for two of them
		this.sink.whileDeleting(() -> {
			int first = last.getAndAdd(400) + 1;
			reject(writer, first, first + 399);
		});
		this.sink.deletes(portion, portion, portion, portion, portion, portion, portion, portion, 0);
		writer.start();
		eventually(() -> this.sink.deletions().size() == 9);
		eventuallyStored(resources(1, 9 * 400));
		assertThat(writer.dropped()).isZero();
	}

	@Test
	void oldOnesAreDeletedAlthoughSomethingAlwaysWaits() {
		RejectionWriter writer = writer(Duration.ofDays(30));
		this.sink.deletes(RejectionRetention.PORTION, RejectionRetention.PORTION, 0);
		AtomicInteger last = new AtomicInteger(1);
		this.sink.before((entries) -> {
			if (this.sink.deletions().size() < 3) {
				reject(writer, last.incrementAndGet(), last.get());
			}
		});
		reject(writer, 1, 1);
		eventually(() -> this.sink.deletions().size() == 3);
		eventuallyStored(resources(1, last.get()));
	}

	@Test
	void deletionThatFailsDoesNotKeepFromStoring() {
		RejectionWriter writer = writer(Duration.ofDays(30));
		try (CapturedLog retention = CapturedLog.of(RejectionRetention.class)) {
			writer.start();
			eventually(() -> !retention.lines().isEmpty());
			reject(writer, 1, 1);
			eventuallyStored(resources(1, 1));
			assertThat(this.sink.deletions()).hasSize(1);
			assertThat(retention.lines()).singleElement()
				.asString()
				.startsWith("WARN Rejections from more than PT720H");
		}
	}

	@Test
	void nothingIsDeletedWithoutARetention() {
		RejectionWriter writer = this.writer = new RejectionWriter(this.sink, 10, null, Duration.ZERO, FLUSH);
		writer.start();
		reject(writer, 1, 1);
		eventuallyStored(resources(1, 1));
		reject(writer, 2, 2);
		eventuallyStored(resources(1, 2));
		assertThat(this.sink.deletions()).isEmpty();
	}

	@Test
	void nothingIsDeletedAtOnce() {
		RejectionWriter writer = this.writer = new RejectionWriter(this.sink, 10, Duration.ofDays(30));
		writer.start();
		reject(writer, 1, 1);
		eventuallyStored(resources(1, 1));
		reject(writer, 2, 2);
		eventuallyStored(resources(1, 2));
		assertThat(this.sink.deletions()).isEmpty();
	}

	@Test
	void refusesWhatMakesNoSense() {
		assertThatIllegalArgumentException().isThrownBy(() -> new RejectionWriter(this.sink, 0, null));
		assertThatIllegalArgumentException().isThrownBy(() -> new RejectionWriter(this.sink, 1, Duration.ZERO));
	}

	private RejectionWriter writer(int capacity) {
		RejectionWriter created = new RejectionWriter(this.sink, capacity, null);
		this.writer = created;
		return created;
	}

	private RejectionWriter writer(Duration retention) {
		RejectionWriter created = new RejectionWriter(this.sink, 1_000, retention, Duration.ZERO, FLUSH);
		this.writer = created;
		return created;
	}

	private static void reject(RejectionWriter writer, int first, int last) {
		resources(first, last).forEach((resource) -> writer.rejected(SomeRejections.of(resource)));
	}

	private static List<String> resources(int first, int last) {
		return IntStream.rangeClosed(first, last).mapToObj((number) -> "document:" + number).toList();
	}

	private void eventuallyStored(List<String> resources) {
		Awaitility.await().untilAsserted(() -> assertThat(this.sink.stored()).isEqualTo(resources));
		eventually(() -> this.writer.waiting() == 0);
	}

	private static void eventually(Callable<Boolean> condition) {
		Awaitility.await().until(condition);
	}

	/** Those of writers. */
	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("fencing-rejections"))
			.collect(Collectors.toSet());
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
