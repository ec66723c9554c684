package dev.fencing.torture;

import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Keeps the stack traces of faults that are meant to happen out of the log.
 */
final class QuietLogs {

	private QuietLogs() {
	}

	static void set() {
		setLevel(Level.OFF);
	}

	/**
	 * Let everything be logged again: what runs later in this process may look for it.
	 */
	static void unset() {
		setLevel(null);
	}

	private static void setLevel(@Nullable Level level) {
		Stream
			.of("org.springframework.jdbc.support.JdbcTransactionManager",
					"org.springframework.transaction.support.TransactionTemplate", "com.zaxxer.hikari", "io.lettuce",
					"dev.fencing")
			.map(LoggerFactory::getLogger)
			.forEach((logger) -> ((Logger) logger).setLevel(level));
	}

}
