package dev.fencing.model;

import dev.fencing.model.Protocol.Guard;
import dev.fencing.model.Protocol.Registration;
import dev.fencing.model.State.Flag;
import dev.fencing.model.State.Local;
import dev.fencing.model.State.Place;
import dev.fencing.model.State.Shared;

/**
 * What the locked code does, up to the guard before its commit: it reads, inside or
 * outside of a transaction, and writes one more than it has read. What it has read under
 * its lease it also goes by in the next transaction. An inner transaction that leaves the
 * outer one alone is for the model what one before it is.
 */
final class TransactionSteps implements Steps {

	private final Scenario scenario;

	private final Protocol protocol;

	TransactionSteps(Scenario scenario) {
		this.scenario = scenario;
		this.protocol = scenario.protocol();
	}

	@Override
	public void from(State before, Next next) {
		for (int owner = 1; owner <= before.owners(); owner++) {
			switch (before.place(owner)) {
				case READY -> ready(before, owner, next);
				case BODY -> body(before, owner, next);
				default -> {
				}
			}
		}
	}

	private void ready(State before, int owner, Next next) {
		if (before.get(owner, Local.TRANSACTIONS) == this.scenario.bounds().transactions()) {
			return;
		}
		State after = before.copy();
		after.increment(owner, Local.TRANSACTIONS);
		after.go(owner, Place.BODY);
		next.happens(Action.BEGIN, owner, after);
		if (before.get(owner, Local.SEEN) == 0 && this.protocol.registration() != Registration.IN_EACH_TRANSACTION) {
			read(before, owner, next);
		}
	}

	private void body(State before, int owner, Next next) {
		boolean registersFirst = this.protocol.registration() == Registration.IN_EACH_TRANSACTION;
		if (!registersFirst || before.is(owner, Flag.REGISTERS)) {
			if (before.get(owner, Local.SEEN) == 0) {
				read(before, owner, next);
			}
			else if (before.get(owner, Local.WRITTEN) == 0) {
				write(before, owner, next);
			}
			else if (!LeaseSteps.mustRelease(this.scenario, before, owner)) {
				guard(before, owner, next);
			}
		}
		State after = before.copy();
		rollBack(after, owner);
		next.happens(Action.ROLLBACK, owner, after);
	}

	private void read(State before, int owner, Next next) {
		State after = before.copy();
		takeSnapshot(after, owner);
		after.set(owner, Local.SEEN, before.get(Shared.VALUE) + 1);
		next.happens(Action.READ, owner, after);
	}

	private void takeSnapshot(State state, int owner) {
		if (this.scenario.isolation() == Isolation.SNAPSHOT && state.place(owner) == Place.BODY) {
			state.mark(owner, Flag.SNAPSHOT);
		}
	}

	private void write(State before, int owner, Next next) {
		boolean unregistered = this.protocol.registration() == Registration.AT_FIRST_WRITE
				&& !before.is(owner, Flag.REGISTERED);
		if (unregistered || before.get(Shared.DATA_LOCK) != 0) {
			return;
		}
		State after = before.copy();
		takeSnapshot(after, owner);
		if (before.is(owner, Flag.DATA_CHANGED)) {
			rollBack(after, owner);
			next.happens(Action.SERIALIZATION_FAILURE, owner, after);
		}
		else if (isRefused(before, owner)) {
			rollBack(after, owner);
			next.happens(Action.WRITE_REFUSED, owner, after);
		}
		else {
			after.set(owner, Local.WRITTEN, before.get(owner, Local.SEEN));
			after.set(Shared.DATA_LOCK, before.session(owner));
			next.happens(Action.WRITE, owner, after);
		}
	}

	private boolean isRefused(State state, int owner) {
		return switch (this.protocol.guard()) {
			case NONE, LOCKING_READ -> false;
			case ROW -> state.get(Shared.STAMP) >= token(state, owner);
			// A snapshot that is older than the successor does not show it
			case SUB_QUERY -> state.get(Shared.MARK_OWNER) != owner && !state.is(owner, Flag.MARK_CHANGED);
		};
	}

	/**
	 * Return the token of the statement that writes: each transaction has one.
	 */
	static int token(State state, int owner) {
		return state.get(owner, Local.GENERATION) * 4 + state.get(owner, Local.TRANSACTIONS);
	}

	private void guard(State before, int owner, Next next) {
		State after = before.copy();
		if (this.protocol.guard() != Guard.LOCKING_READ) {
			if (this.protocol.registration() != Registration.AT_COMMIT || before.is(owner, Flag.REGISTERS)) {
				after.go(owner, Place.COMMITTING);
				next.happens(Action.SEND_COMMIT, owner, after);
			}
			return;
		}
		if (before.get(Shared.MARK_LOCK) != 0) {
			return;
		}
		if (before.is(owner, Flag.MARK_CHANGED)) {
			rollBack(after, owner);
			next.happens(Action.SERIALIZATION_FAILURE, owner, after);
		}
		else if (before.get(Shared.MARK_OWNER) == owner) {
			after.set(Shared.MARK_LOCK, before.session(owner));
			after.go(owner, Place.GUARDED);
			next.happens(Action.GUARD, owner, after);
		}
		else {
			refuse(after, owner);
			next.happens(Action.GUARD_REFUSED, owner, after);
		}
	}

	private void refuse(State state, int owner) {
		rollBack(state, owner);
		if (this.protocol.healsAfterReading() && state.get(owner, Local.HEALINGS) < this.scenario.bounds().healings()) {
			state.set(owner, Local.ABOVE, state.get(Shared.MARK));
			state.go(owner, Place.HEALING);
		}
	}

	/**
	 * Undo what an open transaction has done. What it has read stays with the code.
	 */
	static void rollBack(State state, int owner) {
		closeSession(state, owner);
		state.go(owner, Place.READY);
	}

	static void closeSession(State state, int owner) {
		state.unlock(state.session(owner));
		state.set(owner, Local.WRITTEN, 0);
		for (Flag flag : Flag.OF_SESSION) {
			state.unmark(owner, flag);
		}
	}

}
