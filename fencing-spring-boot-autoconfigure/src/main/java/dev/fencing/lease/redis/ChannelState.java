package dev.fencing.lease.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to subscribe to a channel: done when nothing is missed any more.
 */
final class ChannelState extends CompletableFuture<@Nullable Void> {

	/**
	 * How long a failure keeps from the next attempt: each opens a connection, and who
	 * waits asks now and then all the same.
	 */
	private static final long FAILURE_LASTS = TimeUnit.SECONDS.toNanos(5);

	private final long begun = System.nanoTime();

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

	/**
	 * Return whether it has failed, with the client of today, and not long ago.
	 */
	boolean hasJustFailed(@Nullable AbstractRedisClient current) {
		return isCompletedExceptionally() && this.client == current && System.nanoTime() - this.begun < FAILURE_LASTS;
	}

}
