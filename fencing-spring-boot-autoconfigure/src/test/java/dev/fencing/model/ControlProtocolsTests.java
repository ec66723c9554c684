package dev.fencing.model;

import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The controls: what other rules lead to, by the fewest steps that it takes. Where the
 * same happens on real databases is told at each {@link Protocol}.
 */
class ControlProtocolsTests {

	private static final Bounds BOUNDS = new Bounds(2, 2, 1, 2, 2, 3);

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FENCED")
	void noneKeepsAllInvariants(Protocol protocol) {
		assertThat(explore(protocol, Issuer.RESETTING, EnumSet.allOf(Invariant.class))).isNotNull();
	}

	@Test
	void noFence() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.NO_FENCE, Issuer.HONEST, """
				A gets the lease, generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A sends its commit
				A loses the lease
				B gets the lease, generation 4
				B begins a transaction
				B reads 0
				A's commit is done: the value is 1
				B writes 1
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void rowGuardAlone() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.ROW_GUARD_ALONE, Issuer.HONEST, """
				A gets the lease, generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A sends its commit
				A loses the lease
				B gets the lease, generation 4
				B begins a transaction
				B reads 0
				A's commit is done: the value is 1
				B writes 1
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void registrationAtFirstWrite() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.REGISTRATION_AT_FIRST_WRITE, Issuer.HONEST, """
				A gets the lease, generation 3
				A begins a transaction
				A reads 0
				A registers generation 3
				A writes 1
				A's guard passes and keeps the registry's row locked
				A sends its commit
				A loses the lease
				B gets the lease, generation 4
				B begins a transaction
				B reads 0
				A's commit is done: the value is 1
				B registers generation 4
				B writes 1
				B's guard passes and keeps the registry's row locked
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void registrationAtCommit() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.REGISTRATION_AT_COMMIT, Issuer.HONEST, """
				A gets the lease, generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A registers generation 3 inside its transaction
				A sends its commit
				A loses the lease
				B gets the lease, generation 4
				B begins a transaction
				B reads 0
				A's commit is done: the value is 1
				B writes 1
				B registers generation 4 inside its transaction
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void registrationInTheSameTransaction() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.REGISTRATION_IN_THE_SAME_TRANSACTION, Issuer.HONEST, """
				A gets the lease, generation 3
				A begins a transaction
				A loses the lease
				B gets the lease, generation 4
				B begins a transaction
				B registers generation 4 inside its transaction
				B reads 0
				B rolls back
				B begins a transaction
				A registers generation 3 inside its transaction
				A reads 0
				A writes 1
				A sends its commit
				A's commit is done: the value is 1
				B registers generation 4 inside its transaction
				B writes 1
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void subQueryGuardLetsAStaleOwnerCommit() {
		assertBreaks(Invariant.NO_COMMIT_AFTER_A_SUCCESSOR, Protocol.SUB_QUERY_GUARD, Issuer.HONEST, """
				A gets the lease, generation 3
				A registers generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A sends its commit
				A loses the lease
				B gets the lease, generation 4
				B registers generation 4
				A's commit is done: the value is 1
				""");
	}

	@Test
	void subQueryGuardLosesAnUpdate() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.SUB_QUERY_GUARD, Issuer.HONEST, """
				A gets the lease, generation 3
				A registers generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A sends its commit
				A loses the lease
				B gets the lease, generation 4
				B registers generation 4
				B begins a transaction
				B reads 0
				A's commit is done: the value is 1
				B writes 1
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void equalTokensAccepted() {
		assertBreaks(Invariant.REGISTERED_TOKENS_INCREASE, Protocol.EQUAL_TOKENS_ACCEPTED, Issuer.RESETTING, """
				the counter falls back to 0
				A gets the lease, generation 1
				A registers generation 1
				""");
	}

	@Test
	void healingAfterTheFirstRead() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.HEALING_AFTER_THE_FIRST_READ, Issuer.RESETTING, """
				A gets the lease, generation 3
				the counter falls back to 1, and the lease is gone
				B gets the lease, generation 2
				B registers generation 2
				B begins a transaction
				B reads 0
				B writes 1
				A registers generation 3
				A begins a transaction
				B's guard refuses: 3 is registered; rollback
				A reads 0
				A writes 1
				A's guard passes and keeps the registry's row locked
				A sends its commit
				A's commit is done: the value is 1
				B's lease is given generation 4
				B registers generation 4
				B begins a transaction
				B writes 1
				B's guard passes and keeps the registry's row locked
				B sends its commit
				B's commit is done: the value is 1
				""");
	}

	@Test
	void healingInSeparateSteps() {
		assertBreaks(Invariant.CURRENT_OWNER_IS_NOT_REFUSED, Protocol.HEALING_IN_SEPARATE_STEPS, Issuer.RESETTING, """
				the counter falls back to 0
				A gets the lease, generation 1
				A is refused by the registry, where 1 is registered
				A sees its nonce in the lease
				A loses the lease
				B gets the lease, generation 2
				B registers generation 2
				B begins a transaction
				B reads 0
				B writes 1
				A raises the counter and takes generation 3
				A writes its generation into the lease if that is its own
				A registers generation 3
				B's guard refuses: 3 is registered; rollback
				""");
	}

	@Test
	void releaseBeforeCommit() {
		assertBreaks(Invariant.CURRENT_OWNER_IS_NOT_REFUSED, Protocol.RELEASE_BEFORE_COMMIT, Issuer.HONEST, """
				A gets the lease, generation 3
				A registers generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A gives the lease back
				B gets the lease, generation 4
				B registers generation 4
				A's guard refuses: 4 is registered; rollback
				""");
	}

	@Test
	void workAfterAnUnknownCommit() {
		assertBreaks(Invariant.NO_LOST_UPDATE, Protocol.WORK_AFTER_AN_UNKNOWN_COMMIT, Issuer.HONEST, """
				A gets the lease, generation 3
				A registers generation 3
				A begins a transaction
				A reads 0
				A writes 1
				A's guard passes and keeps the registry's row locked
				A sends its commit
				A waits for the answer to its commit no more
				A begins a transaction
				A reads 0
				the commit that A does not wait for is done: the value is 1
				A writes 1
				A's guard passes and keeps the registry's row locked
				A sends its commit
				A's commit is done: the value is 1
				""");
	}

	/**
	 * Tokens in perfect order are no sign that nothing was lost.
	 */
	@Test
	void registrationAtFirstWriteKeepsTheTokensInOrder() {
		assertThat(explore(Protocol.REGISTRATION_AT_FIRST_WRITE, Issuer.HONEST,
				EnumSet.of(Invariant.REGISTERED_TOKENS_INCREASE, Invariant.NO_COMMIT_AFTER_A_SUCCESSOR)))
			.isNull();
	}

	private static void assertBreaks(Invariant invariant, Protocol protocol, Issuer issuer, String steps) {
		Counterexample counterexample = explore(protocol, issuer, EnumSet.of(invariant));
		assertThat(counterexample).isEqualTo(new Counterexample(invariant, steps.lines().toList()));
	}

	private static @Nullable Counterexample explore(Protocol protocol, Issuer issuer, Set<Invariant> invariants) {
		Scenario scenario = new Scenario(protocol, issuer, Isolation.READ_COMMITTED, BOUNDS);
		return Explorer.explore(scenario, invariants).counterexample();
	}

}
