package dev.fencing.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.fencing.FencingException;

/**
 * Asks the database on other threads, and waits for a while only: where all connections
 * are in use, which is when a report is read, a pool keeps its callers waiting for much
 * longer. Thread-safe.
 */
final class PromptAnswers {

	private static final int MOST_AT_ONCE = 4;

	private final Executor executor;

	private final Duration longestWait;

	PromptAnswers(Duration longestWait) {
		SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("fencing-endpoint-");
		threads.setDaemon(true);
		// Whoever asks again and again must not pile up threads
		threads.setConcurrencyLimit(MOST_AT_ONCE);
		threads.setRejectTasksWhenLimitReached(true);
		this.executor = threads;
		this.longestWait = longestWait;
	}

	/**
	 * Ask.
	 * @param answer asks
	 * @return the answer
	 * @throws FencingException if there is none in time
	 * @throws RuntimeException what asking throws
	 */
	<T> @Nullable T get(Supplier<? extends @Nullable T> answer) {
		try {
			return CompletableFuture.<@Nullable T>supplyAsync(answer::get, this.executor)
				.get(this.longestWait.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw new FencingException("no answer within %s".formatted(this.longestWait), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new FencingException("interrupted while waiting for the answer", ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new CompletionException(ex.getCause());
		}
	}

}
