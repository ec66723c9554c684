package dev.fencing.sample.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;

/**
 * Starts servers so that they are stopped when the process ends, at the latest. As a rule
 * the application context has stopped them by then; but it leaves beans behind when it is
 * closed while it is still starting.
 */
final class StopAtExit {

	private static final Log logger = LogFactory.getLog(StopAtExit.class);

	private static final long START_LIMIT_SECONDS = 60;

	private StopAtExit() {
	}

	/**
	 * Start a server.
	 * @param starter starts it; what it returns can be closed twice
	 */
	static <T extends AutoCloseable, E extends Exception> T start(Starter<T, E> starter) throws E {
		CompletableFuture<T> started = new CompletableFuture<>();
		SpringApplication.getShutdownHandlers().add(() -> stop(started));
		try {
			T server = starter.start();
			started.complete(server);
			return server;
		}
		finally {
			// If there is none by now, there is nothing to stop
			started.cancel(false);
		}
	}

	private static void stop(CompletableFuture<? extends @Nullable AutoCloseable> started) {
		try {
			AutoCloseable server = started.<@Nullable AutoCloseable>handle((result, failure) -> result)
				.get(START_LIMIT_SECONDS, TimeUnit.SECONDS);
			if (server != null) {
				server.close();
			}
		}
		catch (Exception ex) {
			logger.warn("A server could not be stopped", ex);
		}
	}

	/**
	 * Starts a server.
	 */
	@FunctionalInterface
	interface Starter<T extends AutoCloseable, E extends Exception> {

		T start() throws E;

	}

}
