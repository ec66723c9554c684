package dev.fencing.model;

import dev.fencing.model.State.Local;
import dev.fencing.model.State.Shared;

/**
 * A step of the protocol, or a fault: it happens all at once, and anything may happen
 * before and after it.
 */
enum Action {

	ACQUIRE(Kind.STEP, "{owner} gets the lease, generation {generation}"),

	ACQUIRE_UNANSWERED(Kind.FAULT, "{owner} gets the lease, generation {lease}, but not the answer"),

	LATE_ACQUIRE(Kind.FAULT, "a late copy of {owner}'s request takes the lease, generation {lease}"),

	REGISTER(Kind.STEP, "{owner} registers generation {generation}"),

	REGISTER_UNANSWERED(Kind.FAULT, "{owner} registers generation {generation}, but does not get the answer"),

	REGISTER_REFUSED(Kind.STEP, "{owner} is refused by the registry, where {mark} is registered"),

	REGISTER_GIVEN_UP(Kind.REFUSAL, "{owner} is refused by the registry, where {mark} is registered, for good"),

	REGISTER_INSIDE(Kind.STEP, "{owner} registers generation {generation} inside its transaction"),

	HEAL(Kind.STEP, "{owner}'s lease is given generation {generation}"),

	HEAL_UNANSWERED(Kind.FAULT, "{owner}'s lease is given generation {lease}, but the answer is lost"),

	HEAL_REFUSED(Kind.REFUSAL, "{owner} does not have the lease any more: stale"),

	CHECK_NONCE(Kind.STEP, "{owner} sees its nonce in the lease"),

	RAISE_COUNTER(Kind.STEP, "{owner} raises the counter and takes generation {generation}"),

	RENUMBER_LEASE(Kind.STEP, "{owner} writes its generation into the lease if that is its own"),

	BEGIN(Kind.STEP, "{owner} begins a transaction"),

	READ(Kind.STEP, "{owner} reads {seen}"),

	WRITE(Kind.STEP, "{owner} writes {written}"),

	WRITE_REFUSED(Kind.REFUSAL, "{owner}'s write is refused, and its transaction rolled back"),

	GUARD(Kind.STEP, "{owner}'s guard passes and keeps the registry's row locked"),

	GUARD_REFUSED(Kind.REFUSAL, "{owner}'s guard refuses: {mark} is registered; rollback"),

	SERIALIZATION_FAILURE(Kind.REFUSAL, "{owner}'s snapshot is too old; rollback"),

	SEND_COMMIT(Kind.STEP, "{owner} sends its commit"),

	COMMIT(Kind.STEP, "{owner}'s commit is done: the value is {value}"),

	COMMIT_UNANSWERED(Kind.FAULT, "{owner}'s commit is done, but the answer is lost: the value is {value}"),

	COMMIT_ABANDONED(Kind.FAULT, "{owner} waits for the answer to its commit no more"),

	LATE_COMMIT(Kind.STEP, "the commit that {owner} does not wait for is done: the value is {value}"),

	LATE_ROLLBACK(Kind.STEP, "the commit that {owner} does not wait for comes to nothing"),

	ROLLBACK(Kind.STEP, "{owner} rolls back"),

	KILL(Kind.FAULT, "{owner}'s session is killed"),

	RELEASE(Kind.STEP, "{owner} gives the lease back"),

	RUN_OUT(Kind.STEP, "the lease of {owner}, who is done, runs out"),

	LOSE_LEASE(Kind.LOSS, "{owner} loses the lease"),

	COUNTER_LOST(Kind.FAULT, "the counter falls back to {counter}"),

	COUNTER_AND_LEASE_LOST(Kind.FAULT, "the counter falls back to {counter}, and the lease is gone");

	private final Kind kind;

	private final String text;

	Action(Kind kind, String text) {
		this.kind = kind;
		this.text = text;
	}

	boolean isFault() {
		return this.kind == Kind.FAULT || this.kind == Kind.LOSS;
	}

	boolean isLoss() {
		return this.kind == Kind.LOSS;
	}

	boolean isRefusal() {
		return this.kind == Kind.REFUSAL;
	}

	/**
	 * Tell what has happened.
	 * @param owner to whom; 0 if to nobody in particular
	 * @param after what is true afterwards
	 */
	String describe(int owner, State after) {
		String told = this.text.replace("{value}", "" + after.get(Shared.VALUE))
			.replace("{mark}", "" + after.get(Shared.MARK))
			.replace("{lease}", "" + after.get(Shared.LEASE_GENERATION))
			.replace("{counter}", "" + after.get(Shared.COUNTER));
		if (owner == 0) {
			return told;
		}
		return told.replace("{owner}", "" + (char) ('A' + owner - 1))
			.replace("{generation}", "" + after.get(owner, Local.GENERATION))
			.replace("{seen}", "" + (after.get(owner, Local.SEEN) - 1))
			.replace("{written}", "" + after.get(owner, Local.WRITTEN));
	}

	private enum Kind {

		STEP, REFUSAL, LOSS, FAULT

	}

}
