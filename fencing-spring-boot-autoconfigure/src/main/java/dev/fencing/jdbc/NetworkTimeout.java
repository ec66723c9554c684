package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the wait for an answer that the network has lost. A query timeout does not: many
 * drivers have the server watch it, or tell the server when it is over.
 */
final class NetworkTimeout {

	private static final Log logger = LogFactory.getLog(NetworkTimeout.class);

	private NetworkTimeout() {
	}

	/**
	 * Do some work on a connection, which is broken afterwards if the time was over.
	 * @param connection the connection
	 * @param timeout how long to wait for each answer; ignored where the connection has a
	 * shorter one, or where the driver has none
	 * @param work the work
	 */
	static <T extends @Nullable Object> T during(Connection connection, Duration timeout, Supplier<T> work) {
		Integer former = set(connection, (int) timeout.toMillis());
		try {
			return work.get();
		}
		finally {
			if (former != null) {
				reset(connection, former);
			}
		}
	}

	/**
	 * Set the timeout.
	 * @return the former one, or null if nothing has changed
	 */
	private static @Nullable Integer set(Connection connection, int millis) {
		try {
			int former = connection.getNetworkTimeout();
			if (former > 0 && former <= millis) {
				return null;
			}
			connection.setNetworkTimeout(Runnable::run, millis);
			return former;
		}
		catch (SQLException | RuntimeException | AbstractMethodError ex) {
			logger.debug("The driver has no network timeout", ex);
			return null;
		}
	}

	// Not every pool does it
	private static void reset(Connection connection, int millis) {
		try {
			connection.setNetworkTimeout(Runnable::run, millis);
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("The connection is broken", ex);
		}
	}

}
