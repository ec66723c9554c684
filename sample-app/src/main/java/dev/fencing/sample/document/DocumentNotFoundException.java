package dev.fencing.sample.document;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * There is no such document: answered as 404.
 */
@SuppressWarnings("serial")
class DocumentNotFoundException extends ErrorResponseException {

	DocumentNotFoundException(long id) {
		super(HttpStatus.NOT_FOUND,
				ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, "There is no document %d".formatted(id)), null);
	}

}
