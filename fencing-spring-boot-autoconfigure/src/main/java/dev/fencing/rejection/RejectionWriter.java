package dev.fencing.rejection;

import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.FencingListener;
import dev.fencing.Rejection;

/**
 * Has rejections stored by a thread of its own, so that who was refused waits for
 * nothing: not for the store, not for its connection, and for no lock that is held
 * meanwhile. What cannot be stored now waits in memory, a bounded number of rejections;
 * any more are dropped and counted. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RejectionWriter implements FencingListener, AutoCloseable {

	private static final Log logger = LogFactory.getLog(RejectionWriter.class);

	private static final Duration LONGEST_FLUSH = Duration.ofSeconds(2);

	/** Enough to stop what only waits; what is being stored is not waited for. */
	private static final Duration LONGEST_END = Duration.ofMillis(200);

	private static final Duration FIRST_DELETION = Duration.ofMinutes(5);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	private final Queue<RejectionEntry> queue = new ConcurrentLinkedQueue<>();

	private final RejectionCount count;

	private final RejectionDelivery delivery;

	private final RejectionRetention retention;

	private final Duration longestFlush;

	private final String keyPrefix = UUID.randomUUID() + "-";

	private final AtomicLong lastKey = new AtomicLong();

	private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

	private volatile boolean closing;

	/** Nobody waits for the thread any more. */
	private volatile boolean abandoned;

	/**
	 * Create a writer.
	 * @param sink stores the rejections; never null
	 * @param capacity how many rejections may wait to be stored; positive
	 * @param retention how long stored rejections are kept; null for ever
	 * @throws IllegalArgumentException if the capacity or the retention is not positive
	 */
	public RejectionWriter(RejectionSink sink, int capacity, @Nullable Duration retention) {
		this(sink, capacity, retention, FIRST_DELETION, LONGEST_FLUSH);
	}

	RejectionWriter(RejectionSink sink, int capacity, @Nullable Duration retention, Duration firstDeletion,
			Duration longestFlush) {
		Assert.notNull(sink, "A sink is required");
		Assert.isTrue(capacity > 0, () -> "The capacity %d is not positive".formatted(capacity));
		Assert.isTrue(retention == null || (!retention.isNegative() && !retention.isZero()),
				() -> "The retention %s is not positive".formatted(retention));
		this.count = new RejectionCount(capacity);
		this.delivery = new RejectionDelivery(this.queue, sink, this.count);
		this.retention = new RejectionRetention(sink, retention, firstDeletion);
		this.longestFlush = longestFlush;
	}

	/**
	 * Have what is too old deleted from now on, also if nothing is refused any more. A
	 * writer that keeps everything needs no start: its thread starts with the first
	 * rejection.
	 */
	public void start() {
		if (this.retention.nanosUntilDue() < Long.MAX_VALUE) {
			startThread();
		}
	}

	@Override
	public void rejected(Rejection rejection) {
		if (this.count.accept()) {
			this.queue.add(new RejectionEntry(this.keyPrefix + this.lastKey.incrementAndGet(), rejection));
			if (this.count.isClosed()) {
				// Possibly after the last look into the queue
				dropQueue();
				return;
			}
			startThread();
			LockSupport.unpark(this.thread.get());
		}
	}

	/**
	 * Return how many rejections were not stored and never will be: there was no room,
	 * the store refused them, or they came too late.
	 * @return the number since the start
	 */
	public long dropped() {
		return this.count.droppedNumber();
	}

	/**
	 * Return how many rejections wait to be stored.
	 * @return the number at this moment
	 */
	public int waiting() {
		return this.count.waitingNumber();
	}

	/**
	 * Store what waits, for about two seconds at most, also where the caller is
	 * interrupted. What is left is dropped, and so is what comes later. What is being
	 * stored just then is waiting still, and is counted once its outcome is known.
	 */
	@Override
	public void close() {
		this.closing = true;
		if (waiting() > 0) {
			startThread();
		}
		Thread running = this.thread.get();
		awaitEnd(running, this.longestFlush);
		this.count.close();
		dropQueue();
		awaitEnd(running, LONGEST_END);
		this.abandoned = true;
		this.count.reportOverflow();
		this.count.reportLeft();
		int underWay = waiting();
		if (underWay > 0) {
			logger.warn("%d rejections are still being stored, which the application does not wait for"
				.formatted(underWay));
		}
	}

	private static void awaitEnd(@Nullable Thread running, Duration longest) {
		if (running == null) {
			return;
		}
		LockSupport.unpark(running);
		long end = System.nanoTime() + longest.toNanos();
		boolean interrupted = Thread.interrupted();
		try {
			for (long left = longest.toNanos(); left > 0 && running.isAlive(); left = end - System.nanoTime()) {
				try {
					TimeUnit.NANOSECONDS.timedJoin(running, left);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void dropQueue() {
		while (this.queue.poll() != null) {
			this.count.left();
		}
	}

	private void startThread() {
		if (this.thread.get() == null) {
			// A platform thread whoever asks for it, without the thread locals and the
			// class loader of that one
			Thread created = new Thread(null, this::run, "fencing-rejections", 0, false);
			created.setDaemon(true);
			created.setContextClassLoader(RejectionWriter.class.getClassLoader());
			if (this.thread.compareAndSet(null, created)) {
				start(created);
			}
		}
	}

	private void start(Thread created) {
		try {
			created.start();
		}
		catch (RuntimeException | Error ex) {
			// No memory for it: the next rejection tries again
			this.thread.set(null);
			throw ex;
		}
	}

	private void run() {
		long pause = SHORTEST_PAUSE.toNanos();
		while (!isOver()) {
			if (workSafely()) {
				pause = SHORTEST_PAUSE.toNanos();
			}
			else {
				pause(pause);
				pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
			}
		}
		this.delivery.giveUp();
		if (this.abandoned) {
			this.count.reportLeft();
		}
	}

	private boolean isOver() {
		return this.count.isClosed() || (this.closing && this.delivery.isDone());
	}

	/**
	 * Do the next piece of work, or wait for it.
	 * @return false if it failed and is to be tried again later
	 */
	private boolean workSafely() {
		try {
			if (!this.delivery.isDone() && !this.delivery.tryNext()) {
				return false;
			}
			if (!this.closing) {
				// Storing goes first: deleting may take a while, and can wait
				if (this.delivery.isDone() || this.count.hasMuchRoom()) {
					this.retention.deleteWhatIsDue();
				}
				awaitWork();
			}
			return true;
		}
		catch (RuntimeException | Error ex) {
			logSafely(ex);
			return false;
		}
	}

	private void awaitWork() {
		long left = this.retention.nanosUntilDue();
		if (left > 0 && this.delivery.isDone() && !this.closing) {
			LockSupport.parkNanos(this, left);
			// Nobody has a reason to interrupt it, and it would not wait any more
			Thread.interrupted();
		}
	}

	/**
	 * Wait, but not for long once the writer is being closed.
	 */
	private void pause(long nanos) {
		boolean closingAlready = this.closing;
		long end = System.nanoTime() + (closingAlready ? SHORTEST_PAUSE.toNanos() : nanos);
		long left = end - System.nanoTime();
		while (left > 0 && this.closing == closingAlready && !this.count.isClosed()) {
			LockSupport.parkNanos(this, left);
			Thread.interrupted();
			left = end - System.nanoTime();
		}
	}

	private static void logSafely(Throwable failure) {
		try {
			logger.error("The writing of rejections goes on after a failure", failure);
		}
		catch (RuntimeException | Error ex) {
			// Out of memory, most likely: writing must go on, telling need not
		}
	}

}
