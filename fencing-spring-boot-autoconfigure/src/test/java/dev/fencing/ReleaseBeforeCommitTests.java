package dev.fencing;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.lease.LeaseState;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An owner that gives its lease back before it commits is displaced by the next one,
 * although nothing has gone wrong.
 */
class ReleaseBeforeCommitTests extends AbstractTwoOwnersTests {

	@ParameterizedTest
	@EnumSource
	void controlRefusesAnOwnerWithoutAFault(TestDatabase database) {
		fenced(database);
		this.a.takesLease();
		this.a.begins();
		this.a.writes(this.a.reads() + 1);
		this.leases.takeAway(RESOURCE);
		this.b.takesLease();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.a::commits)
			.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION));
		assertCounter(0);
	}

	@ParameterizedTest
	@EnumSource
	void leaseIsHeldUntilAfterTheCommit(TestDatabase database) {
		fenced(database);
		FencingContext first = this.a.takesLease();
		this.a.begins();
		this.a.writes(this.a.reads() + 1);
		this.b.asksForLease();
		this.a.commits();
		LeaseState state = this.leases.find(RESOURCE);
		assertThat(state).isNotNull();
		assertThat(state.lease().generation()).isEqualTo(first.generation());
		this.a.ends();
		this.b.context();
		this.b.begins();
		this.b.writes(this.b.reads() + 1);
		this.b.commits();
		assertCounter(2);
		assertThat(this.stack.rejections()).isEmpty();
	}

}
