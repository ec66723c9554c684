package dev.fencing;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.testsupport.FaultyLeases.Pause;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A registration inside of the transaction that it is to protect is undone with it. What
 * was read is not: the second try goes by it, although an earlier owner has registered,
 * written and committed in between.
 */
class RegistrationInTheSameTransactionTests extends AbstractTwoOwnersTests {

	@ParameterizedTest
	@EnumSource
	void controlLosesAnUpdate(TestDatabase database) {
		leasesOnly(database);
		this.a.takesLease();
		this.leases.takeAway(RESOURCE);
		this.b.takesLease();
		this.b.begins();
		registersByHand(this.b, "<");
		int secondSees = this.b.reads();
		this.b.rollsBack();
		this.a.begins();
		registersByHand(this.a, "<");
		this.a.writes(this.a.reads() + 1);
		this.a.commits();
		this.b.begins();
		registersByHand(this.b, "<");
		this.b.writes(secondSees + 1);
		this.b.commits();
		assertCounter(1);
	}

	@ParameterizedTest
	@EnumSource
	void registrationOutlivesARollback(TestDatabase database) {
		fenced(database);
		Pause pause = this.leases.holdBackNextAnswer();
		this.a.asksForLease();
		pause.awaitReached();
		this.leases.takeAway(RESOURCE);
		this.b.takesLease();
		this.b.begins();
		int secondSees = this.b.reads();
		this.b.rollsBack();
		pause.end();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.a::context)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.REGISTRATION));
		this.b.begins();
		this.b.writes(secondSees + 1);
		this.b.commits();
		assertCounter(1);
	}

}
