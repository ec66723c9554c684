package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection of the provider's own to the primary, on which WAIT may block the server.
 * It is opened by the native client, so that it is a single one also where the factory
 * reads from replicas: the replies to what was sent in a row belong together unless it
 * {@linkplain Opened#breaks() broke} meanwhile.
 */
final class WaitConnection extends KeptConnection<WaitConnection.Opened> {

	private final LettuceConnectionFactory factory;

	private final Duration timeout;

	/**
	 * Create a connection that is opened when it is needed.
	 * @param factory has the client
	 * @param timeout how long a reply may take, in place of the client's command timeout
	 */
	WaitConnection(LettuceConnectionFactory factory, Duration timeout) {
		super("fencing-redis-wait-connect");
		this.factory = factory;
		this.timeout = timeout;
	}

	@Override
	Opened open() {
		if (!(client() instanceof RedisClient client)) {
			throw new IllegalStateException("The connection factory is stopped, or connects to a cluster");
		}
		StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
		connection.setTimeout(this.timeout);
		return new Opened(client, connection);
	}

	@Override
	boolean isOpen(Opened opened) {
		return opened.connection.isOpen();
	}

	@Override
	CompletionStage<?> close(Opened opened) {
		// A factory that was stopped has closed it already
		return (opened.client == client()) ? opened.connection.closeAsync() : CompletableFuture.completedStage(null);
	}

	/**
	 * Return the client of today, or null if the factory is stopped.
	 */
	private @Nullable AbstractRedisClient client() {
		try {
			return this.factory.getNativeClient();
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	/**
	 * An open connection, which Lettuce restores when it breaks.
	 */
	static final class Opened implements RedisConnectionStateListener {

		private final RedisClient client;

		private final StatefulRedisConnection<byte[], byte[]> connection;

		private volatile int breaks;

		private Opened(RedisClient client, StatefulRedisConnection<byte[], byte[]> connection) {
			this.client = client;
			this.connection = connection;
			connection.addListener(this);
		}

		RedisAsyncCommands<byte[], byte[]> commands() {
			return this.connection.async();
		}

		/**
		 * Return how many times it broke. Lettuce sends again what had no reply by then,
		 * maybe to another server.
		 */
		int breaks() {
			return this.breaks;
		}

		// One break is told after the other
		@Override
		@SuppressWarnings("NonAtomicVolatileUpdate")
		public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
			this.breaks++;
		}

	}

}
