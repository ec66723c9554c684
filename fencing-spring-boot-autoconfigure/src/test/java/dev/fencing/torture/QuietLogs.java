package dev.fencing.torture;

import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the stack traces of faults that are meant to happen out of the log.
 */
final class QuietLogs {

	private QuietLogs() {
	}

	static void set() {
		Stream
			.of("org.springframework.jdbc.support.JdbcTransactionManager",
					"org.springframework.transaction.support.TransactionTemplate", "com.zaxxer.hikari", "io.lettuce",
					"dev.fencing")
			.map(LoggerFactory::getLogger)
			.forEach((logger) -> ((Logger) logger).setLevel(Level.OFF));
	}

}
