package dev.fencing.model;

import org.junit.jupiter.api.Test;

import dev.fencing.model.State.Local;
import dev.fencing.model.State.Place;
import dev.fencing.model.State.Shared;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * States that differ in the owners' names alone are one, all others are not.
 */
class StateTests {

	private static final int OWNERS = 3;

	@Test
	void namesDoNotMatter() {
		assertThat(reading(1, 2).canonical()).isEqualTo(reading(3, 1).canonical()).isEqualTo(reading(2, 3).canonical());
	}

	@Test
	void whoHoldsTheLeaseMatters() {
		State other = reading(1, 2);
		other.set(Shared.LEASE_OWNER, 1);
		assertThat(other.canonical()).isNotEqualTo(reading(1, 2).canonical());
	}

	@Test
	void lockOfAnAbandonedCommitIsNotThatOfAnOpenTransaction() {
		State open = reading(1, 2);
		open.set(Shared.MARK_LOCK, open.session(1));
		State abandoned = reading(3, 1);
		abandoned.set(Shared.MARK_LOCK, abandoned.abandonedSession(3));
		assertThat(abandoned.canonical()).isNotEqualTo(open.canonical());
		abandoned.set(Shared.MARK_LOCK, abandoned.session(3));
		assertThat(abandoned.canonical()).isEqualTo(open.canonical());
	}

	@Test
	void ownersThatAreAlikeButForTheLease() {
		State first = State.initial(OWNERS);
		first.set(Shared.LEASE_OWNER, 1);
		State last = State.initial(OWNERS);
		last.set(Shared.LEASE_OWNER, 3);
		assertThat(last.canonical()).isEqualTo(first.canonical()).isNotEqualTo(State.initial(OWNERS));
	}

	/**
	 * One owner has read, and another one has the lease.
	 */
	private static State reading(int reader, int holder) {
		State state = State.initial(OWNERS);
		state.go(reader, Place.BODY);
		state.set(reader, Local.SEEN, 1);
		state.go(holder, Place.GRANTED);
		state.set(Shared.LEASE_OWNER, holder);
		return state;
	}

}
