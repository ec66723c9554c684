package dev.fencing.model;

import java.util.EnumSet;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The library's protocol in every order of its steps and faults, within bounds that are
 * small enough for each build. {@code -Dfencing.model.more=1} allows one loss of a lease
 * and one other fault more in each run, and each further 1 takes some ten times as long:
 *
 * <pre class="code">
 * mvn -Dquick -pl fencing-spring-boot-autoconfigure test -Dtest=FencedProtocolTests -Dfencing.model.more=1
 * </pre>
 */
class FencedProtocolTests {

	private static final Set<Invariant> ALL = EnumSet.allOf(Invariant.class);

	@ParameterizedTest
	@CsvSource(textBlock = """
			# issuer,  isolation,      owners, transactions, losses, faults
			HONEST,    READ_COMMITTED, 2, 2, 2, 3
			HONEST,    SNAPSHOT,       2, 2, 2, 3
			HONEST,    READ_COMMITTED, 3, 2, 2, 2
			RESETTING, READ_COMMITTED, 2, 2, 1, 2
			RESETTING, SNAPSHOT,       2, 2, 1, 2
			RESETTING, READ_COMMITTED, 3, 1, 1, 2
			RESETTING, READ_COMMITTED, 3, 2, 1, 1
			LYING,     READ_COMMITTED, 2, 2, 0, 3
			LYING,     SNAPSHOT,       2, 2, 0, 3
			LYING,     READ_COMMITTED, 3, 1, 0, 2
			LYING,     READ_COMMITTED, 3, 2, 0, 0
			""")
	void keepsItsInvariants(Issuer issuer, Isolation isolation, int owners, int transactions, int losses, int faults) {
		Bounds bounds = Bounds.of(owners, transactions, losses, faults);
		Exploration exploration = Explorer.explore(new Scenario(Protocol.FENCED, issuer, isolation, bounds), ALL);
		assertThat(exploration.counterexample()).isNull();
		// It is not for want of anything happening
		assertThat(exploration.taken()).contains(Action.REGISTER_REFUSED, Action.HEAL, Action.HEAL_REFUSED,
				Action.COMMIT, Action.ROLLBACK, Action.GUARD_REFUSED, Action.RELEASE);
		if (faults > 0) {
			assertThat(exploration.taken()).contains(Action.REGISTER_UNANSWERED, Action.KILL, Action.COMMIT_UNANSWERED,
					Action.COMMIT_ABANDONED, Action.LATE_COMMIT, Action.LATE_ROLLBACK);
		}
	}

	@Test
	void everythingThatTheModelKnowsHappensSomewhere() {
		Set<Action> taken = EnumSet.noneOf(Action.class);
		for (Protocol protocol : Protocol.values()) {
			Bounds bounds = new Bounds(2, 1, 1, (protocol == Protocol.FENCED) ? 2 : 1, 1, 3);
			taken
				.addAll(Explorer.explore(new Scenario(protocol, Issuer.RESETTING, Isolation.SNAPSHOT, bounds), Set.of())
					.taken());
		}
		assertThat(taken).containsExactlyInAnyOrder(Action.values());
	}

}
