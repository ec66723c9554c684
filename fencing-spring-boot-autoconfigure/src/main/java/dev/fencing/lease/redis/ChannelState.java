package dev.fencing.lease.redis;

import java.util.concurrent.CompletableFuture;

import io.lettuce.core.AbstractRedisClient;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to subscribe to a channel: done when nothing is missed any more.
 */
final class ChannelState extends CompletableFuture<@Nullable Void> {

	private volatile @Nullable AbstractRedisClient client;

	/**
	 * Note which client does it.
	 */
	void subscribedBy(@Nullable AbstractRedisClient client) {
		this.client = client;
	}

	/**
	 * Return whether it is under way, or was done by the client of today.
	 */
	boolean isUsable(@Nullable AbstractRedisClient current) {
		return !isDone() || (!isCompletedExceptionally() && this.client == current);
	}

}
