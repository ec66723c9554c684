package dev.fencing;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What listeners and observers throw: logged, and nothing else.
 *
 * @since 0.1.0
 */
public final class ListenerFailures {

	private static final Log logger = LogFactory.getLog(ListenerFailures.class);

	private ListenerFailures() {
	}

	/**
	 * Log a failure. Throws nothing, whatever becomes of that.
	 * @param listener who has failed
	 * @param failure how
	 */
	public static void log(Object listener, Throwable failure) {
		try {
			logger.warn("Fencing listener %s failed".formatted(listener), failure);
		}
		catch (Throwable ex) {
			// The listener has no text, or there is no memory: telling is not worth a
			// lease
		}
	}

}
