package dev.fencing.event;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import dev.fencing.ListenerFailures;

/**
 * A thread for events that come from where nobody may be kept waiting. It is there while
 * there are events.
 */
final class EventThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(EventThread.class);

	private static final int CAPACITY = 10_000;

	private final ThreadPoolExecutor executor;

	/**
	 * Create what starts the thread when there is something to do.
	 * @param classLoader that of the application
	 */
	EventThread(@Nullable ClassLoader classLoader) {
		this.executor = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				(task) -> {
					// Without the thread locals of whoever happens to start it
					Thread thread = new Thread(null, task, "fencing-events", 0, false);
					thread.setDaemon(true);
					thread.setContextClassLoader(classLoader);
					return thread;
				});
		this.executor.allowCoreThreadTimeOut(true);
	}

	void run(Runnable event) {
		try {
			this.executor.execute(() -> runSafely(event));
		}
		catch (RejectedExecutionException ex) {
			logger.warn("An event is not published: a listener blocks, or the application has ended", ex);
		}
	}

	private void runSafely(Runnable event) {
		try {
			event.run();
		}
		catch (Throwable ex) {
			ListenerFailures.log(this, ex);
		}
	}

	/**
	 * End. Who would listen ends as well: what waits is dropped.
	 */
	@Override
	public void close() {
		int left = this.executor.shutdownNow().size();
		if (left > 0) {
			logger.warn("%d events were not published before the application ended".formatted(left));
		}
	}

	@Override
	public String toString() {
		return "for application events";
	}

}
