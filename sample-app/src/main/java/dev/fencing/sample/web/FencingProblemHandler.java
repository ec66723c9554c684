package dev.fencing.sample.web;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import dev.fencing.IssuerRegressedException;
import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.StaleGenerationException;

/**
 * Turns what the starter and its servers throw into problem details. Without a lease
 * nothing was done, and a refused transaction is not in the database; one whose answer
 * was lost with the connection may be. After the pause that {@code Retry-After} names,
 * another attempt may succeed.
 */
@RestControllerAdvice
class FencingProblemHandler {

	@ExceptionHandler
	ResponseEntity<ProblemDetail> busy(LeaseUnavailableException ex) {
		return unavailable("Another owner is at work", ex.getMessage(), 1);
	}

	@ExceptionHandler({ LeaseProviderException.class, IssuerRegressedException.class })
	ResponseEntity<ProblemDetail> noLease(RuntimeException ex) {
		return unavailable("No lease to be had", ex.getMessage(), 5);
	}

	@ExceptionHandler({ DataAccessResourceFailureException.class, QueryTimeoutException.class,
			CannotCreateTransactionException.class })
	ResponseEntity<ProblemDetail> noServer(RuntimeException ex) {
		return unavailable("A server is not reachable", "The database or Redis does not answer", 5);
	}

	@ExceptionHandler
	ProblemDetail stale(StaleGenerationException ex) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
				"A later owner has taken over, so this request was refused: nothing of it was written");
		problem.setTitle("Stale owner");
		problem.setProperty("resource", ex.getResource());
		problem.setProperty("rejectedToken", Long.toString(ex.getRejectedToken()));
		Long accepted = ex.getAcceptedToken();
		problem.setProperty("acceptedToken", (accepted != null) ? Long.toString(accepted) : null);
		problem.setProperty("guard", ex.getGuard().tag());
		problem.setProperty("reason", ex.getReason().tag());
		return problem;
	}

	private static ResponseEntity<ProblemDetail> unavailable(String title, @Nullable String detail,
			int retryAfterSeconds) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, detail);
		problem.setTitle(title);
		return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
			.header(HttpHeaders.RETRY_AFTER, Integer.toString(retryAfterSeconds))
			.body(problem);
	}

}
