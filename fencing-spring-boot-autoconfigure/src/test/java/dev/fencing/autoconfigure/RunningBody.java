package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import org.springframework.context.ApplicationContext;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;

/**
 * Code that runs under a lease until the test ends it.
 */
final class RunningBody {

	private final CountDownLatch running = new CountDownLatch(1);

	private final CountDownLatch end = new CountDownLatch(1);

	private final CompletableFuture<String> result = new CompletableFuture<>();

	private RunningBody() {
	}

	/**
	 * Start on a thread that no lifecycle knows of, and wait until the body has begun.
	 * @param context the application
	 * @param lock the name of the lock
	 * @return the running body
	 */
	static RunningBody start(ApplicationContext context, String lock) {
		RunningBody body = waiting(context, lock, RunningBody::newThread);
		body.awaitRunning();
		return body;
	}

	/**
	 * Start, and do not wait for the lease.
	 * @param context the application
	 * @param lock the name of the lock
	 * @param executor runs it
	 * @return the body
	 */
	static RunningBody waiting(ApplicationContext context, String lock, Executor executor) {
		RunningBody body = new RunningBody();
		FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
		executor.execute(() -> body.run(locks, LockRequest.of(lock).waitTime(Duration.ofMinutes(1))));
		return body;
	}

	private static void newThread(Runnable task) {
		Thread thread = new Thread(task, "body");
		thread.setDaemon(true);
		thread.start();
	}

	static ConditionFactory eventually() {
		return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10));
	}

	private void run(FencedLockTemplate locks, LockRequest request) {
		try {
			this.result.complete(locks.execute(request, (lease) -> {
				this.running.countDown();
				this.end.await();
				return "done by " + lease.name();
			}));
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
	}

	void awaitRunning() {
		try {
			if (!this.running.await(60, TimeUnit.SECONDS)) {
				throw new IllegalStateException("The body does not run: " + this.result);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	boolean isRunning() {
		return this.running.getCount() == 0 && !this.result.isDone();
	}

	/**
	 * Let the body return.
	 */
	void end() {
		this.end.countDown();
	}

	/**
	 * Return what the caller of the lock gets.
	 * @throws ExecutionException if that is an exception
	 */
	String result() throws ExecutionException, InterruptedException, TimeoutException {
		return this.result.get(60, TimeUnit.SECONDS);
	}

}
