package dev.fencing.sample.document;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import dev.fencing.sample.web.BadRequestException;

/**
 * What is sent to create or rename a document.
 *
 * @param title the title as it was sent
 */
record TitleRequest(@Nullable String title) {

	private static final int MAX_LENGTH = 200;

	/**
	 * Return the title if it can be one.
	 */
	String validTitle() {
		if (this.title == null || !StringUtils.hasText(this.title)) {
			throw new BadRequestException("The title is missing or blank");
		}
		if (this.title.codePointCount(0, this.title.length()) > MAX_LENGTH) {
			throw new BadRequestException("The title is longer than %d characters".formatted(MAX_LENGTH));
		}
		if (this.title.chars().anyMatch(Character::isISOControl)) {
			throw new BadRequestException("The title holds a control character");
		}
		return this.title;
	}

}
