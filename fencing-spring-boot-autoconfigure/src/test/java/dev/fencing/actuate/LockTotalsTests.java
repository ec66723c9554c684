package dev.fencing.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.testsupport.FixedContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockTotals}.
 */
class LockTotalsTests {

	private final LockTotals totals = new LockTotals();

	@Test
	void knownLockIsListedBeforeAnythingHappens() {
		this.totals.lockKnown("document");
		assertThat(this.totals.report())
			.containsExactly(new FencingReport.Totals("document", 0, 0, 0, 0, 0, 0, 0, List.of()));
	}

	@Test
	void countsForEachLock() {
		FencingContext context = new FixedContext("document", "document:42", 1);
		end("document", AcquisitionOutcome.ACQUIRED, 5);
		end("document", AcquisitionOutcome.UNAVAILABLE, 4);
		end("document", AcquisitionOutcome.SKIPPED, 3);
		end("document", AcquisitionOutcome.FAILED, 2);
		end("account", AcquisitionOutcome.ACQUIRED, 1);
		this.totals.leaseLost(context);
		this.totals.renewalFailed(context, new IllegalStateException());
		this.totals.renewalFailed(context, new IllegalStateException());
		Rejection regressed = rejection(Guard.REGISTRATION, Reason.REGRESSED);
		this.totals.rejected(regressed);
		this.totals.issuerRegressed(regressed);
		this.totals.rejected(rejection(Guard.ROW, Reason.STALE));
		this.totals.rejected(rejection(Guard.ROW, Reason.STALE));
		this.totals.rejected(rejection(Guard.ROW, Reason.FOREIGN));
		assertThat(this.totals.report()).containsExactly(
				new FencingReport.Totals("account", 1, 0, 0, 0, 0, 0, 0, List.of()),
				new FencingReport.Totals("document", 5, 4, 3, 2, 1, 2, 1,
						List.of(new FencingReport.RejectionCount("registration", "regressed", 1),
								new FencingReport.RejectionCount("row", "stale", 2),
								new FencingReport.RejectionCount("row", "foreign", 1))));
	}

	private void end(String lock, AcquisitionOutcome outcome, int times) {
		for (int i = 0; i < times; i++) {
			this.totals.acquisitionEnded(lock, outcome, Duration.ZERO);
		}
	}

	private static Rejection rejection(Guard guard, Reason reason) {
		return new Rejection(Instant.EPOCH, "document", "document:42", 1, null, guard, reason, "a1", "host-1");
	}

}
