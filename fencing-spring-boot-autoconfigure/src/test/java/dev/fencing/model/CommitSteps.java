package dev.fencing.model;

import dev.fencing.model.Protocol.Guard;
import dev.fencing.model.State.Flag;
import dev.fencing.model.State.Local;
import dev.fencing.model.State.Place;
import dev.fencing.model.State.Shared;

/**
 * From the guard to the end of the commit, which the owner need not learn of, and the
 * death of sessions.
 */
final class CommitSteps implements Steps {

	private final Scenario scenario;

	CommitSteps(Scenario scenario) {
		this.scenario = scenario;
	}

	@Override
	public void from(State before, Next next) {
		for (int owner = 1; owner <= before.owners(); owner++) {
			switch (before.place(owner)) {
				case BODY -> kill(before, owner, next);
				case GUARDED -> {
					State after = before.copy();
					after.go(owner, Place.COMMITTING);
					next.happens(Action.SEND_COMMIT, owner, after);
					kill(before, owner, next);
				}
				case COMMITTING -> {
					commit(before, owner, next);
					if (this.scenario.mayFail(before)) {
						loseCommit(before, owner, next);
					}
				}
				default -> {
				}
			}
			if (before.get(owner, Local.ABANDONED) > 0) {
				endAbandoned(before, owner, next);
			}
		}
	}

	private void kill(State before, int owner, Next next) {
		if (this.scenario.mayFail(before)) {
			State after = before.copy();
			TransactionSteps.rollBack(after, owner);
			next.happens(Action.KILL, owner, after);
		}
	}

	private void commit(State before, int owner, Next next) {
		State after = before.copy();
		done(after, owner);
		after.set(owner, Local.SEEN, before.get(owner, Local.WRITTEN) + 1);
		after.go(owner, Place.READY);
		next.happens(Action.COMMIT, owner, after);
	}

	/**
	 * The owner does not learn how it ended, or not before it has ended.
	 */
	private void loseCommit(State before, int owner, Next next) {
		State unanswered = before.copy();
		done(unanswered, owner);
		goOnOrEnd(unanswered, owner);
		next.happens(Action.COMMIT_UNANSWERED, owner, unanswered);

		State killed = before.copy();
		TransactionSteps.closeSession(killed, owner);
		goOnOrEnd(killed, owner);
		next.happens(Action.KILL, owner, killed);

		if (before.get(owner, Local.ABANDONED) == 0) {
			State abandoned = before.copy();
			abandon(abandoned, owner);
			goOnOrEnd(abandoned, owner);
			next.happens(Action.COMMIT_ABANDONED, owner, abandoned);
		}
	}

	/**
	 * After an unknown commit the lease is left to run out.
	 */
	private void goOnOrEnd(State state, int owner) {
		if (this.scenario.protocol().worksAfterUnknownCommit()) {
			state.set(owner, Local.SEEN, 0);
			state.go(owner, Place.READY);
		}
		else {
			LeaseSteps.end(state, owner);
		}
	}

	private static void abandon(State state, int owner) {
		state.set(owner, Local.ABANDONED, state.get(owner, Local.WRITTEN));
		for (Shared lock : Shared.LOCKS) {
			if (state.get(lock) == state.session(owner)) {
				state.set(lock, state.abandonedSession(owner));
			}
		}
		TransactionSteps.closeSession(state, owner);
	}

	private static void endAbandoned(State before, int owner, Next next) {
		State after = before.copy();
		store(after, owner, before.get(owner, Local.ABANDONED));
		forgetAbandoned(after, owner);
		next.happens(Action.LATE_COMMIT, owner, after);

		State rolledBack = before.copy();
		forgetAbandoned(rolledBack, owner);
		next.happens(Action.LATE_ROLLBACK, owner, rolledBack);
	}

	private static void forgetAbandoned(State state, int owner) {
		state.unlock(state.abandonedSession(owner));
		state.set(owner, Local.ABANDONED, 0);
		if (state.place(owner) == Place.END) {
			LeaseSteps.end(state, owner);
		}
	}

	private void done(State state, int owner) {
		store(state, owner, state.get(owner, Local.WRITTEN));
		if (state.is(owner, Flag.REGISTERS)) {
			RegistrySteps.setMark(state, owner);
		}
		if (this.scenario.protocol().guard() == Guard.ROW) {
			state.set(Shared.STAMP, TransactionSteps.token(state, owner));
		}
		TransactionSteps.closeSession(state, owner);
	}

	private static void store(State state, int owner, int value) {
		state.set(Shared.VALUE, value);
		state.increment(Shared.INCREMENTS);
		for (int other = 1; other <= state.owners(); other++) {
			if (other != owner && state.is(other, Flag.SNAPSHOT)) {
				state.mark(other, Flag.DATA_CHANGED);
			}
		}
	}

}
