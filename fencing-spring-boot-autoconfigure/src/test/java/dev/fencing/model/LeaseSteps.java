package dev.fencing.model;

import dev.fencing.model.Protocol.Registration;
import dev.fencing.model.State.Flag;
import dev.fencing.model.State.Local;
import dev.fencing.model.State.Place;
import dev.fencing.model.State.Shared;

/**
 * What happens in Redis, as its scripts do it. Time is left out, and so is the clock
 * floor: a lease may be lost at any moment, and renewal changes nothing but that moment.
 */
final class LeaseSteps implements Steps {

	private final Scenario scenario;

	LeaseSteps(Scenario scenario) {
		this.scenario = scenario;
	}

	@Override
	public void from(State before, Next next) {
		boolean lying = this.scenario.issuer() == Issuer.LYING;
		for (int owner = 1; owner <= before.owners(); owner++) {
			switch (before.place(owner)) {
				case START -> {
					if (lying) {
						acquireAnything(before, owner, next);
					}
					else {
						acquire(before, owner, next);
					}
				}
				case HEALING -> {
					if (lying) {
						healAnyhow(before, owner, next);
					}
					else if (this.scenario.protocol().healsInSeparateSteps()) {
						checkNonce(before, owner, next);
					}
					else {
						heal(before, owner, next);
					}
				}
				case COUNTER_NEXT -> raiseCounter(before, owner, next);
				case LEASE_NEXT -> renumberLease(before, owner, next);
				case READY -> {
					if (before.get(owner, Local.TRANSACTIONS) > 0) {
						release(before, owner, Place.END, next);
					}
				}
				case BODY -> {
					if (mustRelease(this.scenario, before, owner)) {
						release(before, owner, Place.BODY, next);
					}
				}
				default -> {
				}
			}
		}
		if (!lying) {
			loseLease(before, next);
		}
	}

	static boolean mustRelease(Scenario scenario, State state, int owner) {
		return scenario.protocol().releasesBeforeCommit() && state.holdsLease(owner)
				&& state.get(owner, Local.WRITTEN) > 0;
	}

	private void acquire(State before, int owner, Next next) {
		if (before.holdsLease(owner)) {
			State after = before.copy();
			grant(after, owner, before.get(Shared.LEASE_GENERATION));
			next.happens(Action.ACQUIRE, owner, after);
		}
		else if (before.holdsLease(0)) {
			State after = before.copy();
			takeLease(after, owner);
			grant(after, owner, after.get(Shared.LEASE_GENERATION));
			next.happens(Action.ACQUIRE, owner, after);
			if (this.scenario.mayFail(before)) {
				State unanswered = before.copy();
				takeLease(unanswered, owner);
				next.happens(Action.ACQUIRE_UNANSWERED, owner, unanswered);
			}
		}
	}

	private static void takeLease(State state, int owner) {
		state.increment(Shared.COUNTER);
		state.set(Shared.LEASE_GENERATION, state.get(Shared.COUNTER));
		state.set(Shared.LEASE_OWNER, owner);
	}

	private void acquireAnything(State before, int owner, Next next) {
		for (int number = 1; number <= this.scenario.bounds().numbers(); number++) {
			State after = before.copy();
			grant(after, owner, number);
			next.happens(Action.ACQUIRE, owner, after);
		}
	}

	private void grant(State state, int owner, int generation) {
		state.set(owner, Local.GENERATION, generation);
		if (generation > state.get(Shared.COUNTER)) {
			state.mark(owner, Flag.OUTRUN);
		}
		else {
			state.unmark(owner, Flag.OUTRUN);
		}
		boolean registers = this.scenario.protocol().registration() == Registration.BEFORE_FIRST_READ;
		state.go(owner, registers ? Place.GRANTED : Place.READY);
	}

	private void heal(State before, int owner, Next next) {
		State after = before.copy();
		if (!healLease(after, owner)) {
			end(after, owner);
			next.happens(Action.HEAL_REFUSED, owner, after);
			return;
		}
		State unanswered = after.copy();
		heal(after, owner, after.get(Shared.LEASE_GENERATION));
		next.happens(Action.HEAL, owner, after);
		if (this.scenario.mayFail(before)) {
			next.happens(Action.HEAL_UNANSWERED, owner, unanswered);
		}
	}

	private static boolean healLease(State state, int owner) {
		int current = state.get(Shared.LEASE_GENERATION);
		int above = state.get(owner, Local.ABOVE);
		if (!state.holdsLease(owner)) {
			return false;
		}
		if (current > above) {
			return true;
		}
		if (current != state.get(owner, Local.GENERATION)) {
			return false;
		}
		raise(state, above);
		state.set(Shared.LEASE_GENERATION, state.get(Shared.COUNTER));
		return true;
	}

	private static void raise(State state, int above) {
		state.set(Shared.COUNTER, Math.max(state.get(Shared.COUNTER), above) + 1);
	}

	private void heal(State state, int owner, int generation) {
		state.increment(owner, Local.HEALINGS);
		state.set(owner, Local.ABOVE, 0);
		grant(state, owner, generation);
	}

	private void healAnyhow(State before, int owner, Next next) {
		for (int number = 1; number <= this.scenario.bounds().numbers(); number++) {
			State after = before.copy();
			heal(after, owner, number);
			next.happens(Action.HEAL, owner, after);
		}
		State refused = before.copy();
		end(refused, owner);
		next.happens(Action.HEAL_REFUSED, owner, refused);
	}

	private static void checkNonce(State before, int owner, Next next) {
		State after = before.copy();
		if (before.holdsLease(owner)) {
			after.go(owner, Place.COUNTER_NEXT);
			next.happens(Action.CHECK_NONCE, owner, after);
		}
		else {
			end(after, owner);
			next.happens(Action.HEAL_REFUSED, owner, after);
		}
	}

	private static void raiseCounter(State before, int owner, Next next) {
		State after = before.copy();
		raise(after, before.get(owner, Local.ABOVE));
		after.set(owner, Local.GENERATION, after.get(Shared.COUNTER));
		after.unmark(owner, Flag.OUTRUN);
		after.go(owner, Place.LEASE_NEXT);
		next.happens(Action.RAISE_COUNTER, owner, after);
	}

	private void renumberLease(State before, int owner, Next next) {
		State after = before.copy();
		if (before.holdsLease(owner)) {
			after.set(Shared.LEASE_GENERATION, before.get(owner, Local.GENERATION));
		}
		boolean outrun = before.is(owner, Flag.OUTRUN);
		heal(after, owner, before.get(owner, Local.GENERATION));
		if (outrun) {
			after.mark(owner, Flag.OUTRUN);
		}
		next.happens(Action.RENUMBER_LEASE, owner, after);
	}

	private static void release(State before, int owner, Place place, Next next) {
		State after = before.copy();
		if (before.holdsLease(owner)) {
			clearLease(after);
		}
		if (place == Place.END) {
			end(after, owner);
		}
		next.happens(Action.RELEASE, owner, after);
	}

	private static void clearLease(State state) {
		state.set(Shared.LEASE_OWNER, 0);
		state.set(Shared.LEASE_GENERATION, 0);
	}

	/**
	 * Forget what an owner knew that is done, so that states are alike in which it does
	 * not matter any more.
	 */
	static void end(State state, int owner) {
		state.go(owner, Place.END);
		state.set(owner, Local.SEEN, 0);
		state.set(owner, Local.ABOVE, 0);
		state.set(owner, Local.TRANSACTIONS, 0);
		state.set(owner, Local.HEALINGS, 0);
		state.unmark(owner, Flag.REGISTERED);
		if (state.get(owner, Local.ABANDONED) == 0) {
			state.set(owner, Local.GENERATION, 0);
		}
	}

	private void loseLease(State before, Next next) {
		int holder = before.get(Shared.LEASE_OWNER);
		boolean done = holder > 0 && before.place(holder) == Place.END;
		if (done || (holder > 0 && before.get(Shared.LOSSES) < this.scenario.bounds().losses())) {
			State after = before.copy();
			clearLease(after);
			next.happens(done ? Action.RUN_OUT : Action.LOSE_LEASE, holder, after);
		}
		if (!this.scenario.mayFail(before)) {
			return;
		}
		for (int owner = 1; holder == 0 && owner <= before.owners(); owner++) {
			if (before.place(owner) != Place.START) {
				State after = before.copy();
				takeLease(after, owner);
				next.happens(Action.LATE_ACQUIRE, owner, after);
			}
		}
		if (this.scenario.issuer() == Issuer.RESETTING) {
			loseCounter(before, next);
		}
	}

	private static void loseCounter(State before, Next next) {
		for (int counter = 0; counter < before.get(Shared.COUNTER); counter++) {
			State after = before.copy();
			after.set(Shared.COUNTER, counter);
			for (int owner = 1; owner <= before.owners(); owner++) {
				if (before.place(owner) != Place.START) {
					after.mark(owner, Flag.OUTRUN);
				}
			}
			State free = after.copy();
			next.happens(Action.COUNTER_LOST, 0, after);
			if (!before.holdsLease(0)) {
				clearLease(free);
				next.happens(Action.COUNTER_AND_LEASE_LOST, 0, free);
			}
		}
	}

}
