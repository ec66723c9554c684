package dev.fencing.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import dev.fencing.rejection.LogText;

/**
 * Asks others for what they know, and notes who fails. A report is read when something is
 * wrong: what fails must not hide what the others know.
 */
final class Question {

	static final String PROVIDER = "The lease provider";

	static final String REGISTRY = "The generation registry";

	private static final Log logger = LogFactory.getLog(Question.class);

	private final List<String> errors = new ArrayList<>();

	private final KeyMask mask;

	private String reason = "another owner was faster";

	/**
	 * Create a question.
	 * @param mask decides what may be shown of failures
	 */
	Question(KeyMask mask) {
		this.mask = mask;
	}

	/**
	 * Ask.
	 * @param who is asked, as the beginning of a sentence
	 * @param answer asks
	 * @return the answer; null if there is none or whoever was asked failed
	 */
	<T> @Nullable T ask(String who, Supplier<? extends @Nullable T> answer) {
		try {
			return answer.get();
		}
		catch (RuntimeException ex) {
			log(who, ex);
			this.reason = String.valueOf(ex.getMessage());
			this.errors.add(who + " failed: " + this.mask.mask(ex));
			return null;
		}
	}

	/**
	 * Ask, with an answer for the case that whoever was asked failed.
	 */
	<T> T ask(String who, Supplier<? extends T> answer, T otherwise) {
		T known = ask(who, answer);
		return (known != null) ? known : otherwise;
	}

	private void log(String who, RuntimeException failure) {
		if (this.mask != KeyMask.NONE) {
			// The report does not say it, and what comes from outside must not forge a
			// line
			logger.warn("%s failed to answer: %s".formatted(who, LogText.quote(String.valueOf(failure.getMessage()))));
		}
		logger.debug("%s failed to answer".formatted(who), failure);
	}

	/**
	 * Return whether nobody has failed.
	 */
	boolean isAnswered() {
		return this.errors.isEmpty();
	}

	/**
	 * Return who failed, and how.
	 * @return sentences, or null if nobody did
	 */
	@Nullable String error() {
		return isAnswered() ? null : String.join("; ", this.errors);
	}

	/**
	 * Return why the last one failed, for the log.
	 */
	String reason() {
		return this.reason;
	}

}
