package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;

/**
 * Sends scripts to Redis. Whatever fails becomes a {@link LeaseProviderException}.
 */
final class ScriptExecutor implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ScriptExecutor.class);

	/**
	 * The time between two attempts to undo something.
	 */
	private static final Duration UNDO_PAUSE = Duration.ofMillis(500);

	private static final Duration MAX_TIMEOUT = Duration.ofSeconds(5);

	private final NativeConnection connection;

	private final RedisFailures failures;

	private final Duration timeout;

	private volatile boolean closed;

	ScriptExecutor(LettuceConnectionFactory factory, NativeConnection connection, RedisFailures failures) {
		this.connection = connection;
		this.failures = failures;
		Duration configured = factory.getClientConfiguration().getCommandTimeout();
		boolean usable = configured.compareTo(Duration.ZERO) > 0 && configured.compareTo(MAX_TIMEOUT) < 0;
		this.timeout = usable ? configured : MAX_TIMEOUT;
	}

	/**
	 * Send a request without waiting for the reply.
	 */
	CompletableFuture<List<String>> send(ScriptRequest request, Duration timeout) {
		return this.connection.commands()
			.thenCompose((commands) -> ScriptCall.send(commands, request).reply())
			.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionallyCompose((failure) -> CompletableFuture.failedFuture(failed(request, failure)));
	}

	/**
	 * Send a request whose outcome nobody waits for.
	 */
	void sendQuietly(ScriptRequest request) {
		seeFailure(send(request, this.timeout), request);
	}

	private static void seeFailure(CompletionStage<?> sent, ScriptRequest request) {
		sent.whenComplete((reply, failure) -> {
			if (failure != null) {
				logger.debug("Could not %s".formatted(request.describe()), failure);
			}
		});
	}

	/**
	 * Send a request and wait for the reply, also when the thread is interrupted.
	 */
	List<String> run(ScriptRequest request) {
		return run(request, this.timeout);
	}

	/**
	 * Send a request and wait for the reply, but not for longer than is worth the while.
	 */
	List<String> run(ScriptRequest request, Duration longestWait) {
		Duration wait = (longestWait.compareTo(this.timeout) < 0) ? longestWait : this.timeout;
		RedisClusterAsyncCommands<byte[], byte[]> commands = this.connection.openCommands();
		if (commands != null) {
			// As a rule: no timer, and one thread less, has to be woken for it
			return join(send(commands, request).reply(), wait, request);
		}
		try {
			return send(request, wait).join();
		}
		catch (CompletionException ex) {
			throw failed(request, ex);
		}
	}

	/**
	 * Wait for a reply also when the thread is interrupted, which it then still is.
	 */
	private List<String> join(CompletableFuture<List<String>> reply, Duration wait, ScriptRequest request) {
		long deadline = System.nanoTime() + wait.toNanos();
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return reply.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException | TimeoutException | CancellationException ex) {
			throw failed(request, ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Send a request and wait for the reply. When none comes in time, or the thread is
	 * interrupted, what undoes the request is sent after it.
	 * @param undo makes what undoes the request
	 * @param effect how long the request has an effect unless it is undone
	 * @param check given the reply; what it throws has the request undone as well
	 */
	List<String> runOrUndo(ScriptRequest request, Duration timeout, Supplier<ScriptRequest> undo, Duration effect,
			Consumer<List<String>> check) {
		long deadline = System.nanoTime() + timeout.toNanos();
		// Nothing is sent by a connection that opens when nobody waits for it any more
		RedisClusterAsyncCommands<byte[], byte[]> commands = this.connection.openCommands();
		if (commands == null) {
			commands = await(this.connection.commands(), deadline, request);
		}
		return runOrUndo(commands, request, deadline, undo, effect, check);
	}

	private List<String> runOrUndo(RedisClusterAsyncCommands<byte[], byte[]> commands, ScriptRequest request,
			long deadline, Supplier<ScriptRequest> undo, Duration effect, Consumer<List<String>> check) {
		ScriptCall call = send(commands, request);
		try {
			List<String> reply = await(call.reply(), deadline, request);
			check.accept(reply);
			return reply;
		}
		catch (LeaseProviderException ex) {
			long until = System.nanoTime() + effect.toNanos();
			call.abandon().whenComplete((reply, failure) -> undo(commands, undo.get(), until));
			throw ex;
		}
	}

	/**
	 * Open nothing that nobody waits for any more: that would hold up the factory when it
	 * stops.
	 */
	void rest() {
		this.connection.giveUpOpening();
	}

	@Override
	public void close() {
		this.closed = true;
		this.connection.giveUpOpening();
		this.connection.close();
	}

	private ScriptCall send(RedisClusterAsyncCommands<byte[], byte[]> commands, ScriptRequest request) {
		try {
			return ScriptCall.send(commands, request);
		}
		catch (RuntimeException ex) {
			throw failed(request, ex);
		}
	}

	private void undo(RedisClusterAsyncCommands<byte[], byte[]> commands, ScriptRequest undo, long until) {
		seeUndone(send(commands, undo).reply(), undo, until);
	}

	private void seeUndone(CompletionStage<List<String>> sent, ScriptRequest undo, long until) {
		sent.whenComplete((reply, failure) -> undone(undo, until, failure));
	}

	/**
	 * Send it again where it failed. A connection that is given up does not send again
	 * what was under way in it.
	 */
	private void undone(ScriptRequest undo, long until, @Nullable Throwable failure) {
		if (failure == null) {
			return;
		}
		boolean refused = NestedExceptionUtils.getMostSpecificCause(failure) instanceof RedisCommandExecutionException;
		if (refused || this.closed || System.nanoTime() - until >= 0) {
			logger.debug("Could not %s: it runs out by itself".formatted(undo.describe()), failure);
			return;
		}
		CompletableFuture.delayedExecutor(UNDO_PAUSE.toNanos(), TimeUnit.NANOSECONDS)
			.execute(() -> seeUndone(send(undo, this.timeout), undo, until));
	}

	private <T> T await(CompletableFuture<T> future, long deadline, ScriptRequest request) {
		try {
			return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failed(request, ex);
		}
		catch (ExecutionException | TimeoutException | CancellationException ex) {
			throw failed(request, ex);
		}
	}

	private LeaseProviderException failed(ScriptRequest request, Throwable failure) {
		boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
		Throwable cause = (wrapped && failure.getCause() != null) ? failure.getCause() : failure;
		return this.failures.of(request, cause);
	}

}
