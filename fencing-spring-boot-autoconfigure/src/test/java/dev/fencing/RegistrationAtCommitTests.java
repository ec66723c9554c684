package dev.fencing;

import java.util.function.Consumer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.testsupport.SteppedOwner;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An owner that is registered by the last statement of its transaction has come too late
 * for what it has read: each is accepted, in perfect order, and an update is lost.
 */
class RegistrationAtCommitTests extends AbstractTwoOwnersTests {

	@ParameterizedTest
	@EnumSource
	void controlLosesAnUpdate(TestDatabase database) {
		leasesOnly(database);
		race((owner) -> registersByHand(owner, "<"), this.a::commits);
		assertCounter(1);
	}

	@ParameterizedTest
	@EnumSource
	void ownerThatWasReplacedAfterItsReadDoesNotCommit(TestDatabase database) {
		fenced(database);
		race((owner) -> {
		}, () -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.a::commits)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION)));
		assertCounter(1);
	}

	private void race(Consumer<SteppedOwner> beforeCommit, Runnable firstCommits) {
		this.a.takesLease();
		this.a.begins();
		int firstSees = this.a.reads();
		this.leases.takeAway(RESOURCE);
		this.b.takesLease();
		this.b.begins();
		int secondSees = this.b.reads();
		this.a.writes(firstSees + 1);
		beforeCommit.accept(this.a);
		firstCommits.run();
		this.b.writes(secondSees + 1);
		beforeCommit.accept(this.b);
		this.b.commits();
	}

}
