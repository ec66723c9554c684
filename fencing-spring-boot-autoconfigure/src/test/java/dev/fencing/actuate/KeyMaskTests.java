package dev.fencing.actuate;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.jdbc.BadSqlGrammarException;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseState;
import dev.fencing.testsupport.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyMask}, and that the endpoint shows no key where keys are masked.
 */
class KeyMaskTests {

	private static final String KEY = "alice@example.org";

	private static final String RESOURCE = "mailbox:" + KEY;

	private final KeyMask mask = KeyMask.random();

	private final OperatorFixture fixture = new OperatorFixture();

	@Test
	void hidesTheKeyAndKeepsTheLockName() {
		assertThat(this.mask.mask(RESOURCE)).matches("mailbox:#[0-9a-f]{8}");
		assertThat(this.mask.mask("mailbox:a:b")).matches("mailbox:#[0-9a-f]{8}");
		assertThat(this.mask.mask("nightly-report")).isEqualTo("nightly-report");
	}

	@Test
	void sameKeyLooksTheSameAndOthersDoNot() {
		assertThat(this.mask.mask(RESOURCE)).isEqualTo(this.mask.mask(RESOURCE))
			.isNotEqualTo(this.mask.mask("mailbox:bob@example.org"));
	}

	@Test
	void nobodyFindsTheKeyByTryingWhatAnotherProcessMakesOfIt() {
		assertThat(this.mask.mask(RESOURCE)).isNotEqualTo(KeyMask.random().mask(RESOURCE));
	}

	@Test
	void hidesWhatFailuresSaySinceAKeyMayStandInItInAnyForm() {
		IllegalStateException failure = new IllegalStateException("No answer for 'mailbox:o\\'neil'");
		assertThat(this.mask.mask(failure)).startsWith("IllegalStateException").doesNotContain("neil");
		assertThat(KeyMask.NONE.mask(failure)).isEqualTo(failure.getMessage());
	}

	@Test
	void saysWhyTheDatabaseFailedAndWhereRedisIsAway() {
		assertThat(KeyMask.NONE.mask(new BadSqlGrammarException("select", "select 1",
				new SQLException("relation \"fencing_rejection\" does not exist"))))
			.isEqualTo("relation \"fencing_rejection\" does not exist");
		assertThat(KeyMask.NONE.mask(new LeaseProviderException("Redis 127.0.0.1:6379: Connection refused",
				new IllegalStateException("Connection refused"))))
			.isEqualTo("Redis 127.0.0.1:6379: Connection refused");
	}

	@Test
	void keyForgesNoLineOfTheLogThatHasTheMessages() {
		this.fixture.providerFailure = new LeaseProviderException("No answer for 'document:1\nWARN forged'");
		try (CapturedLog log = CapturedLog.of(Question.class)) {
			this.fixture.endpoint(this.mask).fencing("document:1\nWARN forged", null, null);
			assertThat(log.lines()).containsExactly(
					"WARN The lease provider failed to answer: " + "'No answer for \\'document:1\\nWARN forged\\''");
		}
	}

	@Test
	void endpointShowsNoKeyAnywhere() {
		FencingEndpoint endpoint = this.fixture.endpoint(this.mask);
		this.fixture.reject(RESOURCE, OperatorFixture.TOKEN, null);
		LeaseHold hold = this.fixture.acquire("mailbox", KEY);
		this.fixture.state = new LeaseState(new Lease(RESOURCE, "b2", OperatorFixture.GENERATION),
				Duration.ofSeconds(1));
		FencingReport report = (FencingReport) endpoint.fencing(null, null, null);
		this.fixture.end(hold);
		assertThat(report.leases()).extracting(FencingReport.Held::resource)
			.isEqualTo(List.of(this.mask.mask(RESOURCE)));
		assertThat(report.rejections().recent()).extracting(RejectionReport::resource)
			.isEqualTo(List.of(this.mask.mask(RESOURCE)));
		assertThat(report.toString()).doesNotContain(KEY);
		ResourceReport resource = (ResourceReport) endpoint.fencing(RESOURCE, null, null);
		assertThat(resource.holder()).isNotNull();
		assertThat(resource.rejections().recent()).hasSize(1);
		assertThat(resource.toString()).doesNotContain(KEY);
		this.fixture.providerFailure = new LeaseProviderException("No answer for " + RESOURCE);
		assertThat(((ResourceReport) endpoint.fencing(RESOURCE, null, null)).error()).contains("LeaseProviderException")
			.doesNotContain(KEY);
		TerminationReport ended = (TerminationReport) ((WebEndpointResponse<?>) endpoint.end(RESOURCE)).getBody();
		assertThat(ended.error()).contains("LeaseProviderException");
		assertThat(ended.toString()).doesNotContain(KEY);
	}

}
