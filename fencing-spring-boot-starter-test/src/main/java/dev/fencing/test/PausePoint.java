package dev.fencing.test;

import org.springframework.util.Assert;

/**
 * Where the first owner is paused, as a process that freezes would be.
 *
 * @since 0.1.0
 */
public final class PausePoint {

	/**
	 * After the acquisition: the lease was taken and registered, and the locked code is
	 * about to begin.
	 */
	public static final PausePoint BODY = new PausePoint(Kind.BODY, 1);

	/**
	 * Before the first commit under the lease. What the transaction has written by then
	 * stays locked in the database, so that a successor that writes the same rows waits
	 * for them there, as it would in production.
	 */
	public static final PausePoint COMMIT = commit(1);

	private final Kind kind;

	private final int number;

	private PausePoint(Kind kind, int number) {
		Assert.isTrue(number > 0, "They are counted from 1");
		this.kind = kind;
		this.number = number;
	}

	/**
	 * Before a database statement of the locked code. All statements on the thread of the
	 * locked code count, reads too, to whichever data source they go; not those of the
	 * guard, nor what JPA writes when it commits.
	 * @param number which one, counted from 1
	 * @return that point; never null
	 * @throws IllegalArgumentException if the number is less than 1
	 */
	public static PausePoint statement(int number) {
		return new PausePoint(Kind.STATEMENT, number);
	}

	/**
	 * Before a commit under the lease, where the locked code runs several transactions
	 * one after the other.
	 * @param number which one, counted from 1
	 * @return that point; never null
	 * @throws IllegalArgumentException if the number is less than 1
	 */
	public static PausePoint commit(int number) {
		return new PausePoint(Kind.COMMIT, number);
	}

	boolean is(Kind kind, int number) {
		return this.kind == kind && this.number == number;
	}

	@Override
	public String toString() {
		return switch (this.kind) {
			case BODY -> "the locked code";
			case STATEMENT -> "statement " + this.number;
			case COMMIT -> "commit " + this.number;
		};
	}

	/**
	 * What comes next at the point.
	 */
	enum Kind {

		BODY, STATEMENT, COMMIT

	}

}
