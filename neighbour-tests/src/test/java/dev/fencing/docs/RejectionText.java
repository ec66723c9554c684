package dev.fencing.docs;

import java.time.Instant;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.rejection.RejectionLogger;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The line in the log that tells of a rejection.
 */
final class RejectionText implements SnippetChecker {

	static final Rejection SHOWN = new Rejection(Instant.parse("2026-12-01T04:08:04.383807510Z"), "document",
			"document:2", 1796098083846000001L, 1796098084349000001L, Guard.ROW, Reason.STALE, "e6b130f5d3da1692-2",
			"host:28127");

	@Override
	public void check(Snippet snippet) {
		Logger logger = (Logger) LoggerFactory.getLogger(RejectionLogger.class);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.start();
		logger.addAppender(appender);
		logger.setAdditive(false);
		try {
			new RejectionLogger().rejected(SHOWN);
		}
		finally {
			logger.detachAppender(appender);
			logger.setAdditive(true);
		}
		ILoggingEvent event = appender.list.get(0);
		assertThat(snippet.text()).as("%s: what is logged", snippet.place())
			.isEqualToNormalizingWhitespace(event.getLevel() + " " + event.getFormattedMessage());
	}

}
