package dev.fencing.rejection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.testsupport.FixedContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RejectionLogger}.
 */
class RejectionLoggerTests {

	private final RejectionLogger listener = new RejectionLogger();

	private final FencingContext context = new FixedContext("document", "document:42", 41);

	private final Logger logger = (Logger) LoggerFactory.getLogger(RejectionLogger.class);

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(Level.TRACE);
		this.logger.setAdditive(false);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
	}

	@Test
	void rejectionIsOneWarningThatNamesEverything() {
		this.listener.rejected(rejection("document:42", Guard.TRANSACTION, Reason.STALE, FencingTokens.of(42, 0)));
		assertThat(linesAboveDebug()).containsExactly("WARN Rejected: resource 'document:42', rejected token 41.1, "
				+ "accepted token 42.0, owner 'a1', instance 'host-1', guard transaction, reason stale");
	}

	@Test
	void rejectionWithoutAcceptedTokenSaysNone() {
		this.listener.rejected(rejection("document:42", Guard.ROW, Reason.FOREIGN, null));
		assertThat(linesAboveDebug()).singleElement().asString().contains("accepted token none", "reason foreign");
	}

	@Test
	void regressionIsOneWarningInItsOwnWords() {
		Rejection rejection = rejection("document:42", Guard.REGISTRATION, Reason.REGRESSED, FencingTokens.of(50, 0));
		this.listener.rejected(rejection);
		this.listener.issuerRegressed(rejection);
		assertThat(linesAboveDebug()).singleElement()
			.asString()
			.startsWith("WARN Issuer regressed")
			.contains(
					"resource 'document:42', rejected token 41.1, accepted token 50.0, owner 'a1', instance 'host-1', "
							+ "guard registration, reason regressed")
			.doesNotContain("stale");
	}

	@Test
	void lostLeaseIsOneWarning() {
		this.listener.leaseLost(this.context);
		assertThat(linesAboveDebug()).singleElement()
			.asString()
			.startsWith("WARN Lease lost")
			.contains("'document:42'", "generation 41");
	}

	@Test
	void nothingElseIsAboveDebug() {
		this.listener.lockKnown("document");
		this.listener.acquisitionEnded("document", AcquisitionOutcome.ACQUIRED, Duration.ofMillis(3));
		this.listener.leaseAcquired(this.context);
		this.listener.leaseRenewed(this.context, 0.6);
		this.listener.renewalFailed(this.context, new IllegalStateException());
		this.listener.leaseEnded(this.context, Duration.ofSeconds(1));
		assertThat(linesAboveDebug()).isEmpty();
	}

	@Test
	void keyCannotForgeALine() {
		String forged = "document:1\r\n2026-01-01 WARN Rejected:\u2028\u0085\u001b[31m\u202e";
		this.listener.rejected(rejection(forged, Guard.TRANSACTION, Reason.STALE, null));
		this.listener.leaseLost(new FixedContext("document", forged, 1));
		assertThat(linesAboveDebug()).hasSize(2)
			.allSatisfy((line) -> assertThat(line).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]")
				.contains("'document:1\\r\\n2026-01-01 WARN Rejected:\\u{2028}\\u{85}\\u{1b}[31m\\u{202e}'"));
	}

	@Test
	void keyCannotForgeAnotherPartOfTheLine() {
		this.listener.rejected(rejection("document:1', rejected token 9.9, '\\", Guard.ROW, Reason.STALE, null));
		assertThat(linesAboveDebug()).singleElement()
			.asString()
			.contains("resource 'document:1\\', rejected token 9.9, \\'\\\\', rejected token 41.1");
	}

	@Test
	void ordinaryTextStaysAsItIs() {
		this.listener.rejected(rejection("document:größe/日本 😀", Guard.ROW, Reason.STALE, null));
		assertThat(linesAboveDebug()).singleElement().asString().contains("'document:größe/日本 😀'");
	}

	private List<String> linesAboveDebug() {
		return this.appender.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.INFO))
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.toList();
	}

	private static Rejection rejection(String resource, Guard guard, Reason reason, @Nullable Long accepted) {
		return new Rejection(Instant.EPOCH, "document", resource, FencingTokens.of(41, 1), accepted, guard, reason,
				"a1", "host-1");
	}

}
