package dev.fencing.event;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import dev.fencing.ListenerFailures;

/**
 * A thread for events that come from where nobody may be kept waiting. It is there while
 * there are events.
 */
final class EventThread implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(EventThread.class);

	private static final int CAPACITY = 10_000;

	private final ThreadPoolExecutor executor;

	EventThread() {
		this.executor = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(CAPACITY),
				(task) -> {
					Thread thread = new Thread(task, "fencing-events");
					thread.setDaemon(true);
					thread.setContextClassLoader(EventThread.class.getClassLoader());
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

	@Override
	public void close() {
		this.executor.shutdown();
	}

	@Override
	public String toString() {
		return "for application events";
	}

}
