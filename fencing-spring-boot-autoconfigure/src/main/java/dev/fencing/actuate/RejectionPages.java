package dev.fencing.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionPage;

/**
 * Reads rejections for the endpoint: from where they are kept, and from the memory of
 * this instance if that fails.
 */
final class RejectionPages {

	private final RejectionHistory history;

	private final RejectionLog memory;

	private final PromptAnswers answers;

	private final KeyMask mask;

	RejectionPages(RejectionHistory history, RejectionLog memory, PromptAnswers answers, KeyMask mask) {
		this.history = history;
		this.memory = memory;
		this.answers = answers;
		this.mask = mask;
	}

	Shown read(@Nullable String resource, @Nullable Long before, int size, Question question) {
		if (this.history == this.memory) {
			return shown(this.memory, this.memory.page(resource, before, size));
		}
		RejectionPage page = question.ask("The store of rejections",
				() -> this.answers.get(() -> this.history.page(resource, before, size)));
		// A position in one means nothing in the other
		return (page != null) ? shown(this.history, page)
				: shown(this.memory, new RejectionPage(this.memory.page(resource, null, size).rejections(), null));
	}

	private Shown shown(RejectionHistory source, RejectionPage page) {
		Long next = page.next();
		return new Shown(source.name(),
				page.rejections().stream().map((rejection) -> RejectionReport.of(rejection, this.mask)).toList(),
				(next != null) ? Long.toString(next) : null);
	}

	/**
	 * A page as it is shown.
	 *
	 * @param store where it was read from
	 * @param recent the rejections, the newest first
	 * @param next the position for the next page, or null
	 */
	record Shown(String store, List<RejectionReport> recent, @Nullable String next) {
	}

}
