package dev.fencing.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;
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

	private final KeyMask mask;

	RejectionPages(RejectionHistory history, RejectionLog memory, KeyMask mask) {
		this.history = history;
		this.memory = memory;
		this.mask = mask;
	}

	Shown read(@Nullable String resource, @Nullable Long before, int size, Question question) {
		RejectionPage page = question.ask("The store of rejections", () -> this.history.page(resource, before, size));
		if (page != null) {
			return shown(this.history, page.rejections(), page.next());
		}
		// A position in one means nothing in the other
		return shown(this.memory, this.memory.page(resource, null, size).rejections(), null);
	}

	private Shown shown(RejectionHistory history, List<Rejection> rejections, @Nullable Long next) {
		return new Shown(history.name(),
				rejections.stream().map((rejection) -> RejectionReport.of(rejection, this.mask)).toList(),
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
