package dev.fencing.model;

import dev.fencing.model.Protocol.Registration;
import dev.fencing.model.State.Flag;
import dev.fencing.model.State.Local;
import dev.fencing.model.State.Place;
import dev.fencing.model.State.Shared;

/**
 * How owners get into the registry, in a transaction of their own or inside the method's.
 */
final class RegistrySteps implements Steps {

	private final Scenario scenario;

	private final Protocol protocol;

	RegistrySteps(Scenario scenario) {
		this.scenario = scenario;
		this.protocol = scenario.protocol();
	}

	@Override
	public void from(State before, Next next) {
		if (before.get(Shared.MARK_LOCK) != 0) {
			return;
		}
		for (int owner = 1; owner <= before.owners(); owner++) {
			if (before.place(owner) == Place.GRANTED) {
				register(before, owner, next);
			}
			else if (before.place(owner) == Place.BODY && registersNow(before, owner)) {
				if (this.protocol.registration() == Registration.AT_FIRST_WRITE) {
					registerInBody(before, owner, next);
				}
				else {
					registerInside(before, owner, next);
				}
			}
		}
	}

	private boolean registersNow(State state, int owner) {
		boolean written = state.get(owner, Local.WRITTEN) > 0;
		return switch (this.protocol.registration()) {
			case NEVER, BEFORE_FIRST_READ -> false;
			case AT_FIRST_WRITE -> !state.is(owner, Flag.REGISTERED) && state.get(owner, Local.SEEN) > 0 && !written;
			case AT_COMMIT -> !state.is(owner, Flag.REGISTERS) && written;
			case IN_EACH_TRANSACTION -> !state.is(owner, Flag.REGISTERS);
		};
	}

	private void register(State before, int owner, Next next) {
		State after = before.copy();
		if (isAccepted(before, owner)) {
			setMark(after, owner);
			State unanswered = after.copy();
			after.mark(owner, Flag.REGISTERED);
			after.go(owner, Place.READY);
			next.happens(Action.REGISTER, owner, after);
			if (this.scenario.mayFail(before)) {
				next.happens(Action.REGISTER_UNANSWERED, owner, unanswered);
			}
		}
		else if (before.get(owner, Local.HEALINGS) < this.scenario.bounds().healings()) {
			after.set(owner, Local.ABOVE, before.get(Shared.MARK));
			after.go(owner, Place.HEALING);
			next.happens(Action.REGISTER_REFUSED, owner, after);
		}
		else {
			LeaseSteps.end(after, owner);
			next.happens(Action.REGISTER_GIVEN_UP, owner, after);
		}
	}

	private boolean isAccepted(State state, int owner) {
		int generation = state.get(owner, Local.GENERATION);
		int mark = state.get(Shared.MARK);
		return generation > mark || (generation == mark
				&& (state.get(Shared.MARK_OWNER) == owner || this.protocol.acceptsEqualTokens()));
	}

	/**
	 * Write an owner into the registry, for all to see that do not read from a snapshot.
	 */
	static void setMark(State state, int owner) {
		if (state.get(Shared.MARK_OWNER) == owner && state.get(Shared.MARK) == state.get(owner, Local.GENERATION)) {
			return;
		}
		state.set(Shared.MARK, state.get(owner, Local.GENERATION));
		state.set(Shared.MARK_OWNER, owner);
		for (int other = 1; other <= state.owners(); other++) {
			if (state.is(other, Flag.SNAPSHOT)) {
				state.mark(other, Flag.MARK_CHANGED);
			}
		}
	}

	private void registerInBody(State before, int owner, Next next) {
		State after = before.copy();
		if (isAccepted(before, owner)) {
			setMark(after, owner);
			after.mark(owner, Flag.REGISTERED);
			next.happens(Action.REGISTER, owner, after);
		}
		else {
			TransactionSteps.rollBack(after, owner);
			next.happens(Action.WRITE_REFUSED, owner, after);
		}
	}

	private void registerInside(State before, int owner, Next next) {
		State after = before.copy();
		if (isAccepted(before, owner)) {
			after.set(Shared.MARK_LOCK, before.session(owner));
			after.mark(owner, Flag.REGISTERS);
			next.happens(Action.REGISTER_INSIDE, owner, after);
		}
		else {
			TransactionSteps.rollBack(after, owner);
			next.happens(Action.GUARD_REFUSED, owner, after);
		}
	}

}
