package dev.fencing;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseState;
import dev.fencing.testsupport.FaultyLeases.Pause;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.Registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * After the counter has fallen back, an owner that has the lease is refused for a number
 * from before. A new generation would make it the registered owner again, but not what it
 * has read true again.
 */
class HealingAfterTheFirstReadTests extends AbstractTwoOwnersTests {

	@ParameterizedTest
	@EnumSource
	void controlLosesAnUpdate(TestDatabase database) {
		int seen = refuseTheOwnerOfTheLease(database);
		LeaseState state = this.leases.find(RESOURCE);
		assertThat(state).isNotNull();
		Lease healed = this.leases.heal(state.lease(), this.a.context().generation());
		assertThat(healed).isNotNull();
		assertThat(this.stack.registry().register(RESOURCE, FencingTokens.of(healed.generation(), 0), healed.nonce()))
			.isInstanceOf(Registration.Accepted.class);
		this.b.begins();
		this.b.writes(seen + 1);
		this.b.commits();
		assertCounter(1);
	}

	@ParameterizedTest
	@EnumSource
	void ownerThatIsRefusedOnceIsRefusedForGood(TestDatabase database) {
		int seen = refuseTheOwnerOfTheLease(database);
		this.b.begins();
		this.b.writes(seen + 1);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.b::commits)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION));
		assertCounter(1);
	}

	/**
	 * B has the lease and is refused, and A has incremented what B has read.
	 * @return what B has read
	 */
	private int refuseTheOwnerOfTheLease(TestDatabase database) {
		fenced(database);
		Pause pause = this.leases.holdBackNextAnswer();
		this.a.asksForLease();
		pause.awaitReached();
		this.leases.fallBackTo(1);
		assertThat(this.b.takesLease().generation()).isEqualTo(2);
		this.b.begins();
		int seen = this.b.reads();
		this.b.writes(seen + 1);
		pause.end();
		assertThat(this.a.context().generation()).isEqualTo(3);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.b::commits)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION));
		this.a.begins();
		this.a.writes(this.a.reads() + 1);
		this.a.commits();
		assertCounter(1);
		return seen;
	}

}
