package dev.fencing;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.TransactionDefinition;

import dev.fencing.testsupport.SteppedOwner;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A statement that asks in a sub-query whether its owner is the registered one is right
 * when it runs, and wrong when its transaction commits: the sub-query keeps nobody from
 * registering in between.
 */
class SubQueryGuardTests extends AbstractTwoOwnersTests {

	private static final String GUARDED = "update counter set amount = ? where exists (select 1 "
			+ "from FENCING_GENERATION where resource_id = 'counter' and owner = ?)";

	@ParameterizedTest
	@EnumSource
	void controlLosesAnUpdate(TestDatabase database) {
		leasesOnly(database);
		race((owner) -> registersByHand(owner, "<"), (owner, amount) -> owner.updates(GUARDED, amount, owner(owner)),
				this.a::commits);
		assertCounter(1);
	}

	@ParameterizedTest
	@EnumSource
	void ownerThatWasReplacedAfterItsWriteDoesNotCommit(TestDatabase database) {
		fenced(database);
		race((owner) -> {
		}, SteppedOwner::writes,
				() -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this.a::commits)
					.satisfies((ex) -> assertStale(ex, Rejection.Guard.TRANSACTION)));
		assertCounter(1);
	}

	private void race(Consumer<SteppedOwner> register, BiConsumer<SteppedOwner, Integer> write, Runnable firstCommits) {
		this.a.takesLease();
		register.accept(this.a);
		this.a.begins(TransactionDefinition.ISOLATION_READ_COMMITTED);
		write.accept(this.a, this.a.reads() + 1);
		this.leases.takeAway(RESOURCE);
		this.b.takesLease();
		register.accept(this.b);
		this.b.begins(TransactionDefinition.ISOLATION_READ_COMMITTED);
		int secondSees = this.b.reads();
		firstCommits.run();
		write.accept(this.b, secondSees + 1);
		this.b.commits();
	}

}
