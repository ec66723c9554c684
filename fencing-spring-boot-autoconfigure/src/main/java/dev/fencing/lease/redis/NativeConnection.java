package dev.fencing.lease.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The one native connection that a provider sends over: the factory's shared connection,
 * or where sharing is switched off, one of its own that it keeps. The factory may block
 * for the connect timeout, one caller after the other: so a thread of its own asks it,
 * and callers wait as long as they choose to.
 */
final class NativeConnection implements AutoCloseable {

	private final LettuceConnectionFactory factory;

	private final AtomicReference<@Nullable CompletableFuture<Opened>> current = new AtomicReference<>();

	NativeConnection(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Return the commands of the connection, opening it if that has not been done.
	 */
	CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
		while (true) {
			CompletableFuture<Opened> known = this.current.get();
			if (known != null && isUsable(known)) {
				return known.thenApply(Opened::commands);
			}
			CompletableFuture<Opened> opening = new CompletableFuture<>();
			if (this.current.compareAndSet(known, opening)) {
				Thread thread = new Thread(() -> open(known, opening), "fencing-redis-connect");
				thread.setDaemon(true);
				try {
					thread.start();
				}
				catch (Error ex) {
					// Else all would wait for what is never opened
					opening.completeExceptionally(ex);
				}
				return opening.thenApply(Opened::commands);
			}
		}
	}

	/**
	 * Give back the connection. Has no effect on one that is shared.
	 */
	@Override
	public void close() {
		close(this.current.getAndSet(null));
	}

	private void open(@Nullable CompletableFuture<Opened> previous, CompletableFuture<Opened> opening) {
		try {
			close(previous);
			RedisConnection connection = this.factory.getConnection();
			try {
				opening.complete(new Opened(connection, ((LettuceConnection) connection).getNativeConnection()));
			}
			catch (RuntimeException ex) {
				connection.close();
				throw ex;
			}
		}
		catch (RuntimeException | Error ex) {
			opening.completeExceptionally(ex);
		}
	}

	private static void close(@Nullable CompletionStage<Opened> opened) {
		if (opened != null) {
			opened.thenAccept((open) -> open.connection().close());
		}
	}

	/**
	 * A connection that Lettuce is about to restore is asked for again: that is quick
	 * where it is shared, and gives a new one where it is not.
	 */
	private static boolean isUsable(CompletableFuture<Opened> known) {
		if (!known.isDone()) {
			return true;
		}
		return !known.isCompletedExceptionally() && isOpen(known.join().commands());
	}

	// Deprecated, yet the only way that Lettuce 6 and 7 have in common
	@SuppressWarnings("deprecation")
	private static boolean isOpen(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		if (commands instanceof RedisAsyncCommands<byte[], byte[]> single) {
			return single.getStatefulConnection().isOpen();
		}
		return commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
				&& cluster.getStatefulConnection().isOpen();
	}

	/**
	 * What the factory gave, and the native commands in it.
	 */
	private record Opened(RedisConnection connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {
	}

}
