package dev.fencing.event;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EventThread}.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
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
	void saysHowManyWereDroppedAtTheEnd(CapturedOutput output) throws Exception {
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
		thread.close();
		assertThat(output.getAll()).contains("2 events were not published before the application ended");
		assertThat(this.ran).isEmpty();
		thread.run(() -> this.ran.add("late"));
		assertThat(output.getAll()).contains("An event is not published");
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
