package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.Subscription;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.ReleaseWatch;

/**
 * The one subscription of a provider, to the channels on which releases are told. It is
 * there while somebody waits, and for some time after that, since waiting comes in
 * bursts. Opening and closing blocks, and so has a thread of its own.
 */
final class ReleaseSubscription implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ReleaseSubscription.class);

	private static final long LINGER = TimeUnit.SECONDS.toNanos(5);

	private final LettuceConnectionFactory factory;

	private final ConcurrentHashMap<String, ReleaseChannel> channels = new ConcurrentHashMap<>();

	private final MessageListener listener = new Listener();

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * The attempt that failed last, on whichever channel: all go over one connection.
	 */
	private volatile @Nullable ChannelState failed;

	// Of the executor's thread

	private @Nullable RedisConnection connection;

	private @Nullable AbstractRedisClient openedBy;

	ReleaseSubscription(LettuceConnectionFactory factory) {
		this.factory = factory;
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "fencing-redis-subscribe");
			thread.setDaemon(true);
			return thread;
		});
		this.executor.setKeepAliveTime(2 * LINGER, TimeUnit.NANOSECONDS);
		this.executor.allowCoreThreadTimeOut(true);
		// Who closes waits for the end, and not for channels to have been idle long
		// enough
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/**
	 * Watch a lease.
	 * @param channelName the channel on which its release is told
	 * @param lease its key, which is the message
	 * @param mayBeFree run when it may be free
	 */
	ReleaseWatch watch(String channelName, String lease, Runnable mayBeFree) {
		ReleaseChannel channel = this.channels.computeIfAbsent(channelName, ReleaseChannel::new);
		channel.add(lease, mayBeFree);
		return new ReleaseWatch() {

			@Override
			public CompletionStage<?> ready() {
				return subscription(channel);
			}

			@Override
			public void close() {
				channel.remove(lease, mayBeFree);
				leaveWhenIdle(channel, LINGER);
			}

		};
	}

	/**
	 * End the subscription, usually before the factory ends all connections.
	 */
	@Override
	public void close() {
		execute(this::disconnect);
		this.executor.shutdown();
		try {
			if (!this.executor.awaitTermination(1, TimeUnit.SECONDS)) {
				logger.debug("The subscription to releases takes its time to end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Return the state of a channel, subscribing to it if that is not under way: it never
	 * was, has failed some time ago, or was done by a client that the factory has given
	 * up since.
	 */
	private ChannelState subscription(ReleaseChannel channel) {
		while (true) {
			ChannelState known = channel.state();
			AbstractRedisClient client = this.factory.getNativeClient();
			if (known != null && known.isUsable(client)) {
				return known;
			}
			ChannelState failure = this.failed;
			if (failure != null && failure.hasJustFailed(client)) {
				return failure;
			}
			ChannelState pending = new ChannelState();
			if (channel.changeState(known, pending)) {
				if (!execute(() -> subscribe(channel, pending))) {
					pending.completeExceptionally(new IllegalStateException("Closed"));
				}
				return pending;
			}
		}
	}

	private void subscribe(ReleaseChannel channel, ChannelState pending) {
		try {
			AbstractRedisClient client = this.factory.getNativeClient();
			if (this.openedBy != client) {
				disconnect();
			}
			pending.subscribedBy(client);
			Subscription subscription = (this.connection != null) ? this.connection.getSubscription() : null;
			if (subscription != null && subscription.isAlive()) {
				subscription.subscribe(channel.nameBytes());
			}
			else {
				connect(client).subscribe(this.listener, channel.nameBytes());
			}
			pending.complete(null);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Releases are not told: those who wait ask again now and then", ex);
			pending.completeExceptionally(ex);
			this.failed = pending;
			disconnect();
		}
	}

	private RedisConnection connect(@Nullable AbstractRedisClient client) {
		disconnect();
		RedisConnection opened = this.factory.getConnection();
		this.connection = opened;
		this.openedBy = client;
		return opened;
	}

	private void disconnect() {
		RedisConnection open = this.connection;
		// A factory that was stopped has closed it already
		boolean closed = this.openedBy != this.factory.getNativeClient();
		this.connection = null;
		this.openedBy = null;
		if (open == null) {
			return;
		}
		// All channels went over it: who waits there has to subscribe again
		this.channels.values().forEach(ReleaseChannel::forget);
		try {
			if (!closed) {
				open.close();
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The subscription to releases was not closed", ex);
		}
	}

	// Nobody waits for the future, and the task lets nothing out
	@SuppressWarnings("FutureReturnValueIgnored")
	private void leaveWhenIdle(ReleaseChannel channel, long delay) {
		if (channel.isIdle() && channel.planLeaving()) {
			try {
				this.executor.schedule(() -> leaveIfIdle(channel), delay, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException ex) {
				logger.trace("Closed, and so is the subscription", ex);
			}
		}
	}

	private void leaveIfIdle(ReleaseChannel channel) {
		channel.leavingBegins();
		long rest = LINGER - channel.idleFor();
		if (rest > 0) {
			leaveWhenIdle(channel, rest);
			return;
		}
		ChannelState left = channel.leave();
		RedisConnection open = this.connection;
		if (left == null || open == null) {
			return;
		}
		try {
			Subscription subscription = open.getSubscription();
			if (subscription != null && subscription.isAlive()) {
				subscription.unsubscribe(channel.nameBytes());
			}
			if (subscription == null || !subscription.isAlive()) {
				disconnect();
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The subscription to releases was not ended", ex);
			disconnect();
		}
	}

	private boolean execute(Runnable task) {
		try {
			this.executor.execute(task);
			return true;
		}
		catch (RejectedExecutionException ex) {
			return false;
		}
	}

	private void tell(byte[] channelName, @Nullable String lease) {
		ReleaseChannel channel = this.channels.get(new String(channelName, StandardCharsets.UTF_8));
		if (channel != null) {
			channel.tell(lease);
		}
	}

	/**
	 * Told on threads of Lettuce.
	 */
	private final class Listener implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			tell(message.getChannel(), new String(message.getBody(), StandardCharsets.UTF_8));
		}

		/**
		 * Also after the connection was restored: what was told meanwhile is lost, so
		 * that everybody has to ask.
		 */
		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			tell(channel, null);
		}

	}

}
