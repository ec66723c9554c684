package dev.fencing.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks others for what they know, and notes who fails. A report is read when something is
 * wrong: what fails must not hide what the others know.
 */
final class Question {

	private static final Log logger = LogFactory.getLog(Question.class);

	private final List<String> errors = new ArrayList<>();

	private final UnaryOperator<String> mask;

	/**
	 * Create a question.
	 * @param mask makes of what failures say what may be shown
	 */
	Question(UnaryOperator<String> mask) {
		this.mask = mask;
	}

	/**
	 * Ask.
	 * @param who is asked, as the beginning of a sentence
	 * @param answer asks
	 * @return the answer; null if there is none or whoever was asked failed
	 */
	<T> @Nullable T ask(String who, Supplier<@Nullable T> answer) {
		try {
			return answer.get();
		}
		catch (RuntimeException ex) {
			logger.debug(who + " failed to answer", ex);
			this.errors.add(who + " failed: " + this.mask.apply(String.valueOf(ex.getMessage())));
			return null;
		}
	}

	/**
	 * Return who failed, and how.
	 * @return sentences, or null if nobody did
	 */
	@Nullable String error() {
		return this.errors.isEmpty() ? null : String.join("; ", this.errors);
	}

}
