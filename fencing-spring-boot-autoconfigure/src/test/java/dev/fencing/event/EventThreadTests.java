package dev.fencing.event;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.testsupport.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventThread}.
 */
@Timeout(60)
class EventThreadTests {

	private static final InheritableThreadLocal<String> OPERATOR = new InheritableThreadLocal<>();

	private final List<String> ran = new CopyOnWriteArrayList<>();

	@Test
	void eventThatFailsKeepsNoLaterOneFromBeingPublished() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		try (EventThread thread = new EventThread(null)) {
			thread.run(() -> {
				throw new NoClassDefFoundError("of a listener");
			});
			thread.run(done::countDown);
			assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void takesNothingOverFromWhoeverStartsIt() {
		ClassLoader application = new ClassLoader() {
		};
		CompletableFuture<String> operator = new CompletableFuture<>();
		CompletableFuture<ClassLoader> classLoader = new CompletableFuture<>();
		OPERATOR.set("operator");
		try (EventThread thread = new EventThread(application)) {
			thread.run(() -> {
				operator.complete(OPERATOR.get());
				classLoader.complete(Thread.currentThread().getContextClassLoader());
			});
			assertThat(operator.orTimeout(30, TimeUnit.SECONDS).join()).isNull();
			assertThat(classLoader.orTimeout(30, TimeUnit.SECONDS).join()).isSameAs(application);
		}
		finally {
			OPERATOR.remove();
		}
	}

	@Test
	void saysHowManyWereDroppedAtTheEnd() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch hanging = new CountDownLatch(1);
		EventThread thread = new EventThread(null);
		thread.run(() -> {
			begun.countDown();
			awaitQuietly(hanging);
		});
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		thread.run(() -> this.ran.add("second"));
		thread.run(() -> this.ran.add("third"));
		try (CapturedLog log = CapturedLog.of(EventThread.class)) {
			thread.close();
			thread.run(() -> this.ran.add("late"));
			assertThat(log.lines()).containsExactly("WARN 2 events were not published before the application ended",
					"WARN An event is not published: a listener blocks, or the application has ended");
		}
		assertThat(this.ran).isEmpty();
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			// The end of the thread
			Thread.currentThread().interrupt();
		}
	}

}
