package dev.fencing.lease;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells callbacks what became of renewals, on a thread of its own: one that blocks all
 * the same holds up no renewal. What piles up behind it is dropped in the end.
 */
final class RenewalNews implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RenewalNews.class);

	private static final int CAPACITY = 100_000;

	private final ThreadPoolExecutor executor;

	RenewalNews() {
		this((task) -> {
			Thread thread = new Thread(task, "fencing-news");
			thread.setDaemon(true);
			return thread;
		});
	}

	RenewalNews(ThreadFactory threads) {
		this.executor = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				threads);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Tell the callback of a lease, if it has one.
	 */
	void tell(LeaseHold hold, Consumer<RenewalCallback> news) {
		RenewalCallback callback = hold.callback();
		if (callback != null) {
			run(() -> news.accept(callback));
		}
	}

	void tellLoss(LeaseHold hold) {
		run(hold::tellLoss);
	}

	private void run(Runnable news) {
		try {
			this.executor.execute(() -> runSafely(news));
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			logger.debug("What became of a renewal is told to nobody: a listener blocks, or there is no thread", ex);
		}
	}

	private static void runSafely(Runnable news) {
		try {
			news.run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A callback failed that was told what became of a renewal", ex);
		}
	}

	@Override
	public void close() {
		this.executor.shutdown();
	}

}
