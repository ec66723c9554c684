package dev.fencing.model;

/**
 * The rules that owners follow: those of the library, and others that look as good. What
 * those others lead to happens on real databases in the tests that each of them names.
 */
enum Protocol {

	/**
	 * The library's: an owner registers before its first read, in a transaction of its
	 * own, and reads the registry's row under its lock before each commit.
	 */
	FENCED(Registration.BEFORE_FIRST_READ, Guard.LOCKING_READ),

	/**
	 * Leases alone.
	 * @see dev.fencing.LostUpdateTests#controlWithoutRegistrationLosesAnUpdate
	 */
	NO_FENCE(Registration.NEVER, Guard.NONE),

	/**
	 * A row takes greater tokens only.
	 * @see dev.fencing.LostUpdateTests#controlWithTheRowGuardAloneLosesAnUpdate
	 */
	ROW_GUARD_ALONE(Registration.NEVER, Guard.ROW),

	/**
	 * An owner registers when it is about to write.
	 * @see dev.fencing.LostUpdateTests#controlWithRegistrationAtTheFirstWriteLosesAnUpdate
	 */
	REGISTRATION_AT_FIRST_WRITE(Registration.AT_FIRST_WRITE, Guard.LOCKING_READ),

	/**
	 * An owner registers by the last statement of its transaction, in place of a guard.
	 * @see dev.fencing.RegistrationAtCommitTests
	 */
	REGISTRATION_AT_COMMIT(Registration.AT_COMMIT, Guard.NONE),

	/**
	 * An owner registers by the first statement of each transaction, and keeps the lock.
	 * @see dev.fencing.RegistrationInTheSameTransactionTests
	 */
	REGISTRATION_IN_THE_SAME_TRANSACTION(Registration.IN_EACH_TRANSACTION, Guard.NONE),

	/**
	 * The statement that writes asks whether its owner is registered.
	 * @see dev.fencing.SubQueryGuardTests
	 */
	SUB_QUERY_GUARD(Registration.BEFORE_FIRST_READ, Guard.SUB_QUERY),

	/**
	 * The registry refuses smaller tokens only.
	 * @see dev.fencing.EqualTokensTests
	 */
	EQUAL_TOKENS_ACCEPTED(Registration.BEFORE_FIRST_READ, Guard.LOCKING_READ),

	/**
	 * An owner that is refused at its guard, and still has the lease, gets a new
	 * generation and tries again.
	 * @see dev.fencing.HealingAfterTheFirstReadTests
	 */
	HEALING_AFTER_THE_FIRST_READ(Registration.BEFORE_FIRST_READ, Guard.LOCKING_READ),

	/**
	 * An owner sees that it has the lease, then raises the counter, then writes its new
	 * generation into the lease.
	 * @see dev.fencing.HealingInSeparateStepsTests
	 */
	HEALING_IN_SEPARATE_STEPS(Registration.BEFORE_FIRST_READ, Guard.LOCKING_READ),

	/**
	 * An owner gives its lease back before its guard and commit.
	 * @see dev.fencing.ReleaseBeforeCommitTests
	 */
	RELEASE_BEFORE_COMMIT(Registration.BEFORE_FIRST_READ, Guard.LOCKING_READ),

	/**
	 * An owner that does not know how its commit has ended reads again and goes on. This
	 * is up to the locked code: the library does not keep it from doing so.
	 * @see dev.fencing.ReadAfterAnUnknownCommitTests
	 */
	WORK_AFTER_AN_UNKNOWN_COMMIT(Registration.BEFORE_FIRST_READ, Guard.LOCKING_READ);

	private final Registration registration;

	private final Guard guard;

	Protocol(Registration registration, Guard guard) {
		this.registration = registration;
		this.guard = guard;
	}

	Registration registration() {
		return this.registration;
	}

	Guard guard() {
		return this.guard;
	}

	boolean acceptsEqualTokens() {
		return this == EQUAL_TOKENS_ACCEPTED;
	}

	boolean healsAfterReading() {
		return this == HEALING_AFTER_THE_FIRST_READ;
	}

	boolean healsInSeparateSteps() {
		return this == HEALING_IN_SEPARATE_STEPS;
	}

	boolean releasesBeforeCommit() {
		return this == RELEASE_BEFORE_COMMIT;
	}

	boolean worksAfterUnknownCommit() {
		return this == WORK_AFTER_AN_UNKNOWN_COMMIT;
	}

	/**
	 * When an owner writes its generation into the registry.
	 */
	enum Registration {

		NEVER, BEFORE_FIRST_READ, AT_FIRST_WRITE, AT_COMMIT, IN_EACH_TRANSACTION

	}

	/**
	 * What is checked before something is committed.
	 */
	enum Guard {

		NONE, ROW, SUB_QUERY, LOCKING_READ

	}

}
