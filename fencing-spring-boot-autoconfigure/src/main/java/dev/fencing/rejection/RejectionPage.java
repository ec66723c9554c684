package dev.fencing.rejection;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;

/**
 * A page of rejections.
 *
 * @param rejections the rejections, the newest first; never null
 * @param next the position of the last one, to be given for the next page; null if there
 * is none
 * @since 0.1.0
 */
public record RejectionPage(List<Rejection> rejections, @Nullable Long next) {

	/**
	 * Create a page.
	 */
	public RejectionPage {
		rejections = List.copyOf(rejections);
	}

}
