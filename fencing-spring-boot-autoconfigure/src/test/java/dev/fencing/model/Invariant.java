package dev.fencing.model;

import dev.fencing.model.State.Flag;
import dev.fencing.model.State.Local;
import dev.fencing.model.State.Place;
import dev.fencing.model.State.Shared;

/**
 * What must be true of every step, and where nothing goes on.
 */
enum Invariant {

	/** I1: registered tokens strictly increase. */
	REGISTERED_TOKENS_INCREASE {

		@Override
		boolean holds(Scenario scenario, State before, Action action, int owner, State after) {
			boolean same = before.get(Shared.MARK) == after.get(Shared.MARK)
					&& before.get(Shared.MARK_OWNER) == after.get(Shared.MARK_OWNER);
			return same || after.get(Shared.MARK) > before.get(Shared.MARK);
		}

	},

	/** I2: nothing commits after a greater generation was registered. */
	NO_COMMIT_AFTER_A_SUCCESSOR {

		@Override
		boolean holds(Scenario scenario, State before, Action action, int owner, State after) {
			boolean commits = before.get(Shared.INCREMENTS) < after.get(Shared.INCREMENTS);
			return !commits || before.get(Shared.MARK) <= before.get(owner, Local.GENERATION);
		}

	},

	/**
	 * I3: no update is lost. Whatever was committed has added one, be it acknowledged or
	 * unknown to its owner.
	 */
	NO_LOST_UPDATE {

		@Override
		boolean holds(Scenario scenario, State before, Action action, int owner, State after) {
			return after.get(Shared.VALUE) == after.get(Shared.INCREMENTS);
		}

	},

	/**
	 * I6: no owner is refused without a fault, and none that has the lease, unless by a
	 * number from before the counter fell back. What refuses is a later owner.
	 */
	CURRENT_OWNER_IS_NOT_REFUSED {

		@Override
		boolean holds(Scenario scenario, State before, Action action, int owner, State after) {
			if (!action.isRefusal() || scenario.issuer() == Issuer.LYING) {
				return true;
			}
			if (before.get(Shared.LOSSES) + before.get(Shared.FAULTS) == 0) {
				return false;
			}
			if (action != Action.GUARD_REFUSED) {
				return true;
			}
			int successor = before.get(Shared.MARK_OWNER);
			boolean current = before.holdsLease(owner)
					&& before.get(Shared.LEASE_GENERATION) == before.get(owner, Local.GENERATION);
			return before.get(Shared.MARK) > before.get(owner, Local.GENERATION)
					&& (!current || before.is(successor, Flag.OUTRUN));
		}

	},

	/** Nobody waits for ever: somebody can go on without a fault until all are done. */
	NOBODY_IS_STUCK {

		@Override
		boolean holdsAtRest(State state) {
			for (int owner = 1; owner <= state.owners(); owner++) {
				if (state.place(owner) != Place.END) {
					return false;
				}
			}
			return true;
		}

	};

	/**
	 * Return whether a step keeps it.
	 */
	boolean holds(Scenario scenario, State before, Action action, int owner, State after) {
		return true;
	}

	/**
	 * Return whether it is true of a state in which nothing but a fault can happen.
	 */
	boolean holdsAtRest(State state) {
		return true;
	}

}
