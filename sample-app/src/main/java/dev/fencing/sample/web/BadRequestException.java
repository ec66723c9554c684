package dev.fencing.sample.web;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * The request cannot be meant as it was sent: answered as 400.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class BadRequestException extends ErrorResponseException {

	/**
	 * Create an exception.
	 * @param detail what is wrong and what would be right
	 */
	public BadRequestException(String detail) {
		super(HttpStatus.BAD_REQUEST, ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, detail), null);
	}

	/**
	 * Create an exception for one part of the request, which the answer names in its
	 * {@code field}.
	 * @param field what is wrong
	 * @param detail what would be right
	 */
	public BadRequestException(String field, String detail) {
		this("'%s' is not usable: %s".formatted(field, detail));
		getBody().setProperty("field", field);
	}

}
