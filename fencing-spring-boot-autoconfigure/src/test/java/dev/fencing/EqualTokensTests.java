package dev.fencing;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.testsupport.SteppedOwner;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * After the counter has fallen back, two owners have the same number. A registry that
 * accepts it twice, and a guard that compares numbers, take both for the current owner.
 */
class EqualTokensTests extends AbstractTwoOwnersTests {

	private static final String GUARD = """
			select fencing_token from FENCING_GENERATION where resource_id = 'counter' for update""";

	@ParameterizedTest
	@EnumSource
	void controlLosesAnUpdate(TestDatabase database) {
		leasesOnly(database);
		this.a.takesLease();
		registersByHand(this.a, "<=");
		this.a.begins();
		int firstSees = this.a.reads();
		this.leases.fallBackTo(2);
		assertThat(this.b.takesLease().generation()).isEqualTo(this.a.context().generation());
		registersByHand(this.b, "<=");
		this.b.begins();
		int secondSees = this.b.reads();
		this.a.writes(firstSees + 1);
		guardsByHand(this.a);
		this.a.commits();
		this.b.writes(secondSees + 1);
		guardsByHand(this.b);
		this.b.commits();
		assertCounter(1);
	}

	@ParameterizedTest
	@EnumSource
	void ownerWithARegisteredNumberGetsAnother(TestDatabase database) {
		fenced(database);
		this.a.takesLease();
		this.a.begins();
		int firstSees = this.a.reads();
		this.leases.fallBackTo(2);
		assertThat(this.b.takesLease().generation()).isEqualTo(this.a.context().generation() + 1);
		this.b.begins();
		int secondSees = this.b.reads();
		this.a.writes(firstSees + 1);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.a::commits)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION));
		this.b.writes(secondSees + 1);
		this.b.commits();
		assertCounter(1);
		assertThat(this.stack.rejections()).extracting(Rejection::reason)
			.containsExactly(Rejection.Reason.REGRESSED, Rejection.Reason.STALE);
	}

	private void guardsByHand(SteppedOwner owner) {
		assertThat(owner.does(() -> this.stack.jdbc().queryForObject(GUARD, Long.class))).isEqualTo(token(owner));
	}

}
