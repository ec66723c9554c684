package dev.fencing;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseState;
import dev.fencing.testsupport.FaultyLeases;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An owner that sees its nonce in the lease, and only then raises the counter, may have
 * lost the lease in between: with the greater number it displaces the owner that has it.
 */
class HealingInSeparateStepsTests extends AbstractTwoOwnersTests {

	private final Healing healing = (Healing) this.leases;

	@Override
	FaultyLeases leases() {
		return new Healing();
	}

	@ParameterizedTest
	@EnumSource
	void controlRefusesTheOwnerOfTheLease(TestDatabase database) {
		this.healing.inSeparateSteps = true;
		replaceAnOwnerThatIsAboutToHeal(database);
		assertThat(this.a.context().generation()).isEqualTo(3);
		LeaseState state = this.leases.find(RESOURCE);
		assertThat(state).isNotNull();
		assertThat(state.lease().generation()).isEqualTo(this.b.context().generation());
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.b::commits)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION));
		assertCounter(0);
	}

	@ParameterizedTest
	@EnumSource
	void ownerThatHasLostTheLeaseIsNotHealed(TestDatabase database) {
		replaceAnOwnerThatIsAboutToHeal(database);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.a::context)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.REGISTRATION));
		this.b.commits();
		assertCounter(1);
	}

	private void replaceAnOwnerThatIsAboutToHeal(TestDatabase database) {
		fenced(database);
		this.leases.fallBackTo(0);
		this.a.asksForLease();
		this.healing.pause.awaitReached();
		this.leases.takeAway(RESOURCE);
		assertThat(this.b.takesLease().generation()).isEqualTo(2);
		this.b.begins();
		this.b.writes(this.b.reads() + 1);
		this.healing.pause.end();
	}

	/**
	 * Pauses before it heals, or between the steps of it.
	 */
	private static final class Healing extends FaultyLeases {

		private final Pause pause = new Pause();

		private volatile boolean inSeparateSteps;

		@Override
		public @Nullable Lease heal(Lease lease, long aboveGeneration) {
			if (!this.inSeparateSteps) {
				this.pause.reach();
				return super.heal(lease, aboveGeneration);
			}
			if (!isOwned(lease)) {
				return null;
			}
			this.pause.reach();
			Lease healed = lease.withGeneration(Math.max(aboveGeneration, lastGeneration(lease)) + 1);
			raise(lease.resources().get(0), healed.generation());
			return healed;
		}

		private boolean isOwned(Lease lease) {
			LeaseState state = find(lease.resources().get(0));
			return state != null && state.lease().nonce().equals(lease.nonce());
		}

		private long lastGeneration(Lease lease) {
			LeaseState state = find(lease.resources().get(0));
			return (state != null) ? state.lease().generation() : 0;
		}

	}

}
