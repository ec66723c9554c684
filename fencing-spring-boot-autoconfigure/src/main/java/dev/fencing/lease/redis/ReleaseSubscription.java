package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.lettuce.core.AbstractRedisClient;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.ReleaseWatch;

/**
 * The one subscription of a provider, to a channel of its own, on which it is told that a
 * lease is free that it has waited for longest. It is there while somebody waits, and for
 * some time after that, since waiting comes in bursts. Opening and closing blocks, and so
 * has a thread of its own.
 */
final class ReleaseSubscription implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ReleaseSubscription.class);

	private static final long LINGER = TimeUnit.SECONDS.toNanos(5);

	private final LettuceConnectionFactory factory;

	private final byte[] channel;

	private final ReleaseWatches watches;

	private final AtomicReference<@Nullable SubscriptionState> state = new AtomicReference<>();

	private final AtomicBoolean leavingPlanned = new AtomicBoolean();

	private final MessageListener listener = new Listener();

	private final ScheduledThreadPoolExecutor executor;

	private volatile long idleSince = System.nanoTime();

	// Of the executor's thread

	private @Nullable RedisConnection connection;

	private @Nullable AbstractRedisClient openedBy;

	/**
	 * Create a subscription that is made when it is needed.
	 * @param factory gives the connection
	 * @param channel the channel, which nobody else listens to
	 * @param passOn given the key of a lease that was told and that nobody wants
	 */
	ReleaseSubscription(LettuceConnectionFactory factory, String channel, Consumer<String> passOn) {
		this.factory = factory;
		this.channel = channel.getBytes(StandardCharsets.UTF_8);
		this.watches = new ReleaseWatches(passOn);
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "fencing-redis-subscribe");
			thread.setDaemon(true);
			return thread;
		});
		this.executor.setKeepAliveTime(2 * LINGER, TimeUnit.NANOSECONDS);
		this.executor.allowCoreThreadTimeOut(true);
		// Who closes waits for the end, and not for it to have been idle long enough
		this.executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
	}

	/**
	 * Watch a lease.
	 * @param lease its key, which is the message
	 * @param mayBeFree run when it may be free
	 */
	ReleaseWatch watch(String lease, Runnable mayBeFree) {
		ReleaseWatches.Entry entry = this.watches.add(lease, mayBeFree);
		return new ReleaseWatch() {

			@Override
			public CompletionStage<?> ready() {
				return subscription();
			}

			@Override
			public void close() {
				ReleaseSubscription.this.idleSince = System.nanoTime();
				ReleaseSubscription.this.watches.remove(lease, entry);
				endWhenIdle(LINGER);
			}

		};
	}

	/**
	 * Note that whoever was told of a lease asks for it now.
	 */
	void attemptFollows(String lease) {
		this.watches.attemptFollows(lease);
	}

	/**
	 * End the subscription now if nobody waits.
	 */
	void rest() {
		CountDownLatch ended = new CountDownLatch(1);
		boolean begun = execute(() -> {
			endIfNobodyWaits();
			ended.countDown();
		});
		try {
			if (begun && !ended.await(1, TimeUnit.SECONDS)) {
				logger.debug("The subscription to releases takes its time to end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
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
	 * Return the state, subscribing if that is not under way: it never was, has failed
	 * some time ago, or was done by a client that the factory has given up since.
	 */
	private SubscriptionState subscription() {
		while (true) {
			SubscriptionState known = this.state.get();
			if (known != null && known.isUsable(client())) {
				return known;
			}
			SubscriptionState pending = new SubscriptionState();
			if (this.state.compareAndSet(known, pending)) {
				if (!execute(() -> subscribe(pending))) {
					pending.failed(new IllegalStateException("Closed"));
				}
				return pending;
			}
		}
	}

	private void subscribe(SubscriptionState pending) {
		try {
			disconnect();
			pending.madeBy(client());
			RedisConnection opened = this.factory.getConnection();
			this.connection = opened;
			this.openedBy = client();
			opened.subscribe(this.listener, this.channel);
			pending.complete(null);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("Releases are not told: those who wait ask again now and then", ex);
			pending.failed(ex);
			disconnect();
		}
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

	private void disconnect() {
		RedisConnection open = this.connection;
		// A factory that was stopped has closed it already
		boolean closed = this.openedBy != client();
		this.connection = null;
		this.openedBy = null;
		if (open == null || closed) {
			return;
		}
		try {
			open.close();
		}
		catch (RuntimeException ex) {
			logger.debug("The subscription to releases was not closed", ex);
		}
	}

	// Nobody waits for the future, and the task lets nothing out
	@SuppressWarnings("FutureReturnValueIgnored")
	private void endWhenIdle(long delay) {
		if (this.watches.isEmpty() && this.leavingPlanned.compareAndSet(false, true)) {
			try {
				this.executor.schedule(this::endIfIdle, delay, TimeUnit.NANOSECONDS);
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				// Closed, or no thread to be had: the next one who waits plans it again
				this.leavingPlanned.set(false);
			}
		}
	}

	private void endIfIdle() {
		this.leavingPlanned.set(false);
		long rest = LINGER - (System.nanoTime() - this.idleSince);
		if (rest > 0) {
			endWhenIdle(rest);
		}
		else {
			endIfNobodyWaits();
		}
	}

	private void endIfNobodyWaits() {
		SubscriptionState known = this.state.get();
		if (!this.watches.isEmpty() || known == null || !this.state.compareAndSet(known, null)) {
			return;
		}
		// Looked at afterwards, so that one of the two sees the other
		if (!this.watches.isEmpty() && this.state.compareAndSet(null, known)) {
			return;
		}
		disconnect();
	}

	private boolean execute(Runnable task) {
		try {
			this.executor.execute(task);
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			logger.debug("Closed, or no thread to be had", ex);
			return false;
		}
	}

	/**
	 * Told on threads of Lettuce.
	 */
	private final class Listener implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			ReleaseSubscription.this.watches.tell(new String(message.getBody(), StandardCharsets.UTF_8));
		}

		/**
		 * Also after the connection was restored: what was told meanwhile is lost, so
		 * that everybody has to ask.
		 */
		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			ReleaseSubscription.this.watches.tellAll();
		}

	}

}
