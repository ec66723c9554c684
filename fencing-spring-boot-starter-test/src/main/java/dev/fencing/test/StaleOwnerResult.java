package dev.fencing.test;

import java.util.List;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;

/**
 * What became of a first owner whose lease had passed on. AssertJ's
 * {@code assertThat(result)} gives a {@link StaleOwnerAssert}.
 *
 * @since 0.1.0
 */
public final class StaleOwnerResult implements AssertProvider<StaleOwnerAssert> {

	private final @Nullable Throwable failure;

	private final List<Rejection> rejections;

	private final Leftovers leftovers;

	private final boolean successorBlocked;

	StaleOwnerResult(@Nullable Throwable failure, List<Rejection> rejections, Leftovers leftovers,
			boolean successorBlocked) {
		this.failure = failure;
		this.rejections = List.copyOf(rejections);
		this.leftovers = leftovers;
		this.successorBlocked = successorBlocked;
	}

	/**
	 * Return what the first owner's call has thrown.
	 * @return the exception, or null if the call returned
	 */
	public @Nullable Throwable failure() {
		return this.failure;
	}

	/**
	 * Return what was refused to the first owner after it went on.
	 * @return the rejections in their order; never null
	 */
	public List<Rejection> rejections() {
		return this.rejections;
	}

	/**
	 * Return whether the successor waited in the database for rows that the paused owner
	 * had written and not committed. The first owner went on then before its successor
	 * had finished.
	 * @return whether it was blocked
	 */
	public boolean isSuccessorBlocked() {
		return this.successorBlocked;
	}

	/**
	 * Return what the first owner has left in the tables after its lease had passed on.
	 * @return a line for each thing; empty if it left nothing; never null
	 */
	public List<String> leftovers() {
		return this.leftovers.all();
	}

	List<String> leftoversIn(String table) {
		return this.leftovers.in(table);
	}

	/**
	 * For AssertJ: tests write {@code assertThat(result)}.
	 * @return assertions on this; never null
	 */
	@Override
	public StaleOwnerAssert assertThat() {
		return new StaleOwnerAssert(this);
	}

	@Override
	public String toString() {
		return "failure: %s, rejections: %s, left: %s%s".formatted(this.failure, this.rejections, leftovers(),
				this.successorBlocked ? ", the successor was blocked" : "");
	}

}
