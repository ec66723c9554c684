package dev.fencing.test;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.assertj.core.api.AbstractObjectAssert;

import dev.fencing.Rejection;

/**
 * Assertions on what became of a first owner whose lease had passed on.
 *
 * @since 0.1.0
 */
public final class StaleOwnerAssert extends AbstractObjectAssert<StaleOwnerAssert, StaleOwnerResult> {

	/**
	 * Create assertions.
	 * @param actual what happened; never null
	 */
	public StaleOwnerAssert(StaleOwnerResult actual) {
		super(actual, StaleOwnerAssert.class);
	}

	/**
	 * Verify that the database refused the first owner. Its call may all the same have
	 * thrown something else, or returned, as one does that tries again:
	 * {@link StaleOwnerResult#failure()}.
	 * @return this
	 */
	public StaleOwnerAssert rejected() {
		if (this.actual.rejections().isEmpty()) {
			throw failure(
					"""
							Expected the stale owner to be rejected, but nothing was refused to it: %s. What it writes needs a \
							transaction on the fenced database that begins and ends inside the locked method, on its thread. \
							Above READ COMMITTED the database may have refused it by itself: then leftNothing() is what counts""",
					this.actual);
		}
		return this;
	}

	/**
	 * Verify which guard refused the first owner.
	 * @param guard {@code transaction}, {@code row} or {@code lease}, as the meter
	 * {@code fence.rejected} is tagged; never null
	 * @return this
	 */
	public StaleOwnerAssert by(String guard) {
		return by(Rejection.Guard.valueOf(guard.toUpperCase(Locale.ROOT)));
	}

	/**
	 * Verify which guard refused the first owner.
	 * @param guard the guard; never null
	 * @return this
	 */
	public StaleOwnerAssert by(Rejection.Guard guard) {
		rejected();
		if (this.actual.rejections().stream().noneMatch((rejection) -> rejection.guard() == guard)) {
			throw failure("Expected guard %s to refuse the stale owner, but it was: %s", guard,
					this.actual.rejections().stream().map(Rejection::guard).toList());
		}
		return this;
	}

	/**
	 * Verify that nothing was refused to the first owner.
	 * @return this
	 */
	public StaleOwnerAssert notRejected() {
		if (!this.actual.rejections().isEmpty()) {
			throw failure("Expected nothing to be refused to the stale owner, but it was: %s",
					this.actual.rejections());
		}
		return this;
	}

	/**
	 * Verify that no table shows anything of what the first owner wrote after its lease
	 * had passed on.
	 * @return this
	 */
	public StaleOwnerAssert leftNothing() {
		return leftNothing(this.actual.leftovers());
	}

	/**
	 * Verify that some tables show nothing of what the first owner wrote after its lease
	 * had passed on.
	 * @param tables their names, in upper or lower case; never empty
	 * @return this
	 * @throws IllegalArgumentException if a table was not compared
	 */
	public StaleOwnerAssert leftNothingIn(String... tables) {
		return leftNothing(Stream.of(tables).flatMap((table) -> this.actual.leftoversIn(table).stream()).toList());
	}

	private StaleOwnerAssert leftNothing(List<String> leftovers) {
		if (!leftovers.isEmpty()) {
			throw failure("Expected nothing of the stale owner in the tables, but it left%n  %s",
					String.join(System.lineSeparator() + "  ", leftovers));
		}
		return this;
	}

	/**
	 * Verify that an update was lost: the first owner changed tables after its successor
	 * had finished. To see that a test can fail.
	 * @return this
	 */
	public StaleOwnerAssert lostUpdate() {
		if (this.actual.leftovers().isEmpty()) {
			throw failure("Expected the stale owner to overwrite its successor, but it left nothing: %s", this.actual);
		}
		return this;
	}

}
