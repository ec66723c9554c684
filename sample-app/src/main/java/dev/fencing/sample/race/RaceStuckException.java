package dev.fencing.sample.race;

import java.time.Duration;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * A step of a race did not happen within its time: answered as 500.
 */
@SuppressWarnings("serial")
class RaceStuckException extends ErrorResponseException {

	RaceStuckException(String what, Duration limit) {
		super(HttpStatus.INTERNAL_SERVER_ERROR, ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR,
				"The race is stuck: waited %d s for this: %s".formatted(limit.toSeconds(), what)), null);
	}

}
