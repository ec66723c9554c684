package dev.fencing.lease.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened on first use, kept, and replaced once it has broken. To
 * open one may block for the connect timeout: so a thread of its own does it, and callers
 * wait as long as they choose to.
 *
 * @param <C> what is kept
 */
abstract class KeptConnection<C> implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(KeptConnection.class);

	private final AtomicReference<@Nullable Opening<C>> current = new AtomicReference<>();

	private final String threadName;

	KeptConnection(String threadName) {
		this.threadName = threadName;
	}

	/**
	 * Open a connection. May block.
	 */
	abstract C open();

	abstract boolean isOpen(C connection);

	/**
	 * Give a connection back. Does not block.
	 */
	abstract CompletionStage<?> close(C connection);

	/**
	 * Return the connection, opening it if that has not been done, or not since it broke.
	 */
	CompletableFuture<C> get() {
		while (true) {
			Opening<C> known = this.current.get();
			if (known != null && isUsable(known)) {
				return known;
			}
			Opening<C> opening = new Opening<>();
			if (this.current.compareAndSet(known, opening)) {
				Thread thread = new Thread(() -> open(known, opening), this.threadName);
				thread.setDaemon(true);
				opening.thread = thread;
				try {
					thread.start();
				}
				catch (Error ex) {
					// Else all would wait for what is never opened
					opening.completeExceptionally(ex);
				}
				return opening;
			}
		}
	}

	/**
	 * Return the connection if it is open.
	 * @return the connection, or null if it has to be waited for
	 */
	@Nullable C current() {
		Opening<C> known = this.current.get();
		return (known != null && known.isDone() && isUsable(known)) ? known.join() : null;
	}

	/**
	 * Give back the connection, without waiting for that. Whoever asks later gets another
	 * one.
	 */
	CompletionStage<?> giveUp() {
		return close(this.current.getAndSet(null));
	}

	/**
	 * Give up the connection if it is being opened. What opens it is interrupted, so that
	 * it does not keep a lock until the connect timeout.
	 */
	void giveUpOpening() {
		Opening<C> opening = this.current.get();
		if (opening != null && !opening.isDone() && this.current.compareAndSet(opening, null)) {
			Thread thread = opening.thread;
			if (thread != null) {
				thread.interrupt();
			}
			// It may be open already
			close(opening);
		}
	}

	/**
	 * Give back the connection, usually before the factory ends all connections.
	 */
	@Override
	public void close() {
		try {
			giveUp().toCompletableFuture().get(1, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("A connection was not closed", ex);
		}
	}

	private void open(@Nullable CompletableFuture<C> previous, CompletableFuture<C> opening) {
		try {
			close(previous);
			opening.complete(open());
		}
		catch (RuntimeException | Error ex) {
			opening.completeExceptionally(ex);
		}
	}

	private CompletionStage<?> close(@Nullable CompletionStage<C> opened) {
		return (opened != null) ? opened.thenCompose(this::close) : CompletableFuture.completedStage(null);
	}

	private boolean isUsable(CompletableFuture<C> known) {
		if (!known.isDone()) {
			return true;
		}
		return !known.isCompletedExceptionally() && isOpen(known.join());
	}

	/**
	 * A connection that is being opened, or has been.
	 *
	 * @param <C> what is opened
	 */
	private static final class Opening<C> extends CompletableFuture<C> {

		private volatile @Nullable Thread thread;

	}

}
