package dev.fencing.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * What a class of ours logs, instead of in the output of the tests.
 */
public final class CapturedLog implements AutoCloseable {

	private final Logger logger;

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
		@Override
		protected void append(ILoggingEvent event) {
			if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
				CapturedLog.this.lines.add(event.getLevel() + " " + event.getFormattedMessage());
			}
		}
	};

	private CapturedLog(Class<?> source) {
		this.logger = (Logger) LoggerFactory.getLogger(source);
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setAdditive(false);
		this.logger.setLevel(Level.INFO);
	}

	/**
	 * Capture from now on.
	 * @param source the class
	 * @return the log, to be closed by the caller
	 */
	public static CapturedLog of(Class<?> source) {
		return new CapturedLog(source);
	}

	/**
	 * Return the lines above debug, each after its level.
	 */
	public List<String> lines() {
		return List.copyOf(this.lines);
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setAdditive(true);
		this.logger.setLevel(null);
	}

}
