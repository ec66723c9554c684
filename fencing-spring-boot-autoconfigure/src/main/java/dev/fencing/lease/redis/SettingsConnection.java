package dev.fencing.lease.redis;

import java.util.concurrent.CompletionStage;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection for one look at the settings. It is opened by the native client: to have
 * the factory open its shared one would hold a lock for as long as a server does not
 * answer, which the factory needs to stop, and that one may lead to replicas.
 */
final class SettingsConnection extends KeptConnection<SettingsConnection.Opened> {

	private final LettuceConnectionFactory factory;

	SettingsConnection(LettuceConnectionFactory factory) {
		super("fencing-redis-settings");
		this.factory = factory;
	}

	@Override
	Opened open() {
		AbstractRedisClient client = this.factory.getNativeClient();
		if (client instanceof RedisClusterClient cluster) {
			// To connect asynchronously, the client has to know the nodes
			cluster.getPartitions();
			StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connectAsync(ByteArrayCodec.INSTANCE)
				.join();
			return new Opened(connection, connection.async());
		}
		if (client instanceof RedisClient single) {
			StatefulRedisConnection<byte[], byte[]> connection = single.connect(ByteArrayCodec.INSTANCE);
			return new Opened(connection, connection.async());
		}
		throw new IllegalStateException("The connection factory is stopped");
	}

	@Override
	boolean isOpen(Opened opened) {
		return opened.connection().isOpen();
	}

	@Override
	CompletionStage<?> close(Opened opened) {
		return opened.connection().closeAsync();
	}

	/**
	 * An open connection, and its commands.
	 */
	record Opened(StatefulConnection<byte[], byte[]> connection, RedisClusterAsyncCommands<byte[], byte[]> commands) {
	}

}
