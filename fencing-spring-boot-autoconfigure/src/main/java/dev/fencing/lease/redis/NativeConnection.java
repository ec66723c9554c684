package dev.fencing.lease.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The one native connection that a provider sends over: the factory's shared connection,
 * or where sharing is switched off, one of its own that it keeps. One that Lettuce is
 * about to restore is asked for again: that is quick where it is shared, and gives a new
 * one where it is not. To close it has no effect on one that is shared.
 */
final class NativeConnection extends KeptConnection<NativeConnection.Opened> {

	private final LettuceConnectionFactory factory;

	NativeConnection(LettuceConnectionFactory factory) {
		super("fencing-redis-connect");
		this.factory = factory;
	}

	/**
	 * Return the commands of the connection, opening it if that has not been done.
	 */
	CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
		return get().thenApply(Opened::commands);
	}

	/**
	 * Return the commands of the connection if it is open.
	 * @return the commands, or null if they have to be waited for
	 */
	@Nullable RedisClusterAsyncCommands<byte[], byte[]> openCommands() {
		Opened opened = current();
		return (opened != null) ? opened.commands() : null;
	}

	@Override
	Opened open() {
		RedisConnection connection = this.factory.getConnection();
		try {
			return new Opened(connection, ((LettuceConnection) connection).getNativeConnection());
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	@Override
	CompletionStage<?> close(Opened opened) {
		opened.connection().close();
		return CompletableFuture.completedStage(null);
	}

	// Deprecated, yet the only way that Lettuce 6 and 7 have in common
	@Override
	@SuppressWarnings("deprecation")
	boolean isOpen(Opened opened) {
		if (opened.commands() instanceof RedisAsyncCommands<byte[], byte[]> single) {
			return single.getStatefulConnection().isOpen();
		}
		return opened.commands() instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
				&& cluster.getStatefulConnection().isOpen();
	}

	/**
	 * What the factory gave, and the native commands in it.
	 */
	record Opened(RedisConnection connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {
	}

}
