package dev.fencing.lease.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to subscribe: done when nothing is missed any more.
 */
final class SubscriptionState extends CompletableFuture<@Nullable Void> {

	/**
	 * How long a failure keeps from the next attempt: each opens a connection, and who
	 * waits asks now and then all the same.
	 */
	private static final long FAILURE_LASTS = TimeUnit.SECONDS.toNanos(5);

	private volatile @Nullable AbstractRedisClient client;

	private volatile long failedAt;

	/**
	 * Note which client does it.
	 */
	void madeBy(@Nullable AbstractRedisClient client) {
		this.client = client;
	}

	void failed(Throwable failure) {
		this.failedAt = System.nanoTime();
		completeExceptionally(failure);
	}

	/**
	 * Return whether it is under way, or was done by the client of today, or has just
	 * failed.
	 */
	boolean isUsable(@Nullable AbstractRedisClient current) {
		if (!isDone()) {
			return true;
		}
		boolean stands = !isCompletedExceptionally() || System.nanoTime() - this.failedAt < FAILURE_LASTS;
		return stands && this.client == current;
	}

}
