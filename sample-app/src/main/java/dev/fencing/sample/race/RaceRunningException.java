package dev.fencing.sample.race;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * Other races did not end while this one waited for its turn: answered as 409.
 */
@SuppressWarnings("serial")
class RaceRunningException extends ErrorResponseException {

	RaceRunningException() {
		super(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"Other races are running, one at a time: try again later"), null);
	}

}
