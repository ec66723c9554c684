package dev.fencing.sample.web;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.fencing.IssuerRegressedException;
import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.StaleGenerationException;

/**
 * Tests for {@link FencingProblemHandler}.
 */
class FencingProblemHandlerTests {

	@Test
	void staleOwnerIsAConflictThatNamesBothTokens() {
		Rejection rejection = new Rejection(Instant.now(), "document", "document:7", 41_000_001L, 42_000_000L,
				Guard.TRANSACTION, Reason.STALE, "owner", "instance");
		answerTo(new StaleGenerationException(rejection, null)).expectStatus()
			.isEqualTo(HttpStatus.CONFLICT)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.title")
			.isEqualTo("Stale owner")
			.jsonPath("$.resource")
			.isEqualTo("document:7")
			.jsonPath("$.rejectedToken")
			.isEqualTo("41000001")
			.jsonPath("$.acceptedToken")
			.isEqualTo("42000000")
			.jsonPath("$.guard")
			.isEqualTo("transaction")
			.jsonPath("$.reason")
			.isEqualTo("stale");
	}

	@Test
	void staleOwnerWithoutAnAcceptedTokenIsAConflict() {
		Rejection rejection = new Rejection(Instant.now(), "document", "document:7", 41_000_001L, null,
				Guard.TRANSACTION, Reason.FOREIGN, "owner", "instance");
		answerTo(new StaleGenerationException(rejection, null)).expectStatus().isEqualTo(HttpStatus.CONFLICT);
	}

	@Test
	void whatMayPassLaterSaysWhenToTryAgain() {
		expectUnavailable(new LeaseUnavailableException("held"), "Another owner is at work");
		expectUnavailable(new LeaseProviderException("down"), "No lease to be had");
		expectUnavailable(new IssuerRegressedException("regressed", null), "No lease to be had");
		expectUnavailable(new CannotCreateTransactionException("no connection"), "A server is not reachable");
		expectUnavailable(new RedisConnectionFailureException("down"), "A server is not reachable");
		expectUnavailable(new QueryTimeoutException("Redis command timed out"), "A server is not reachable");
	}

	private static void expectUnavailable(RuntimeException failure, String title) {
		answerTo(failure).expectStatus()
			.isEqualTo(HttpStatus.SERVICE_UNAVAILABLE)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectHeader()
			.value(HttpHeaders.RETRY_AFTER, Integer::parseUnsignedInt)
			.expectBody()
			.jsonPath("$.title")
			.isEqualTo(title);
	}

	private static ResponseSpec answerTo(RuntimeException failure) {
		return RestTestClient.bindToController(new FailingController(failure))
			.configureServer((server) -> server.setControllerAdvice(new FencingProblemHandler()))
			.build()
			.get()
			.uri("/")
			.exchange();
	}

	@RestController
	static class FailingController {

		private final RuntimeException failure;

		FailingController(RuntimeException failure) {
			this.failure = failure;
		}

		@GetMapping("/")
		String fail() {
			throw this.failure;
		}

	}

}
