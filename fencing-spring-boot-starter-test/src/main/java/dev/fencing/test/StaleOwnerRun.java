package dev.fencing.test;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.FencingContext;
import dev.fencing.Rejection;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.test.PausePoint.Kind;
import dev.fencing.transaction.Acquisition;

/**
 * One run: follows the first owner to the point where it is paused, and does there, on
 * its thread, what happens meanwhile. What goes wrong is kept until the end, so that the
 * code under test sees nothing of it.
 */
final class StaleOwnerRun {

	/**
	 * How long a statement of the successor takes until it is taken for one that waits
	 * for rows of the paused owner. If it is merely slow, the first owner goes on early:
	 * it is stale all the same.
	 */
	private static final Duration BLOCKED_AFTER = Duration.ofMillis(250);

	private final StaleOwner.Script script;

	private final LeaseProvider provider;

	private final TableSnapshots tables;

	private final WriteJournal journal = new WriteJournal();

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private volatile Phase phase = Phase.BEFORE;

	private volatile @Nullable Acquisition first;

	private volatile @Nullable Thread firstThread;

	private volatile @Nullable SuccessorThread successor;

	private volatile boolean successorHasLease;

	private volatile boolean blocked;

	private volatile @Nullable RuntimeException problem;

	private int statements;

	private int commits;

	private boolean completing;

	StaleOwnerRun(StaleOwner.Script script, LeaseProvider provider, TableSnapshots tables) {
		this.script = script;
		this.provider = provider;
		this.tables = tables;
	}

	void leaseAcquired(FencingContext context) {
		Acquisition owner = this.first;
		if (this.phase == Phase.BEFORE && owner == null && context instanceof Acquisition acquisition) {
			this.first = acquisition;
			this.firstThread = Thread.currentThread();
			reached(Kind.BODY, 1);
		}
		else if (this.phase == Phase.PAUSED && owner != null
				&& !Collections.disjoint(owner.resources(), context.resources())) {
			this.successorHasLease = true;
		}
	}

	void leaseEnded(FencingContext context) {
		if (context == this.first) {
			this.phase = Phase.ENDED;
		}
	}

	void rejected(Rejection rejection) {
		Acquisition owner = this.first;
		if (owner != null && rejection.owner().equals(owner.owner())) {
			this.rejections.add(rejection);
		}
	}

	void beforeStatement() {
		if (isOfFirst() && !this.completing) {
			reached(Kind.STATEMENT, ++this.statements);
		}
	}

	void beforeCommit() {
		if (isOfFirst()) {
			this.completing = true;
			reached(Kind.COMMIT, ++this.commits);
		}
	}

	void afterCompletion() {
		if (isOfFirst()) {
			this.completing = false;
		}
	}

	private boolean isOfFirst() {
		return Thread.currentThread() == this.firstThread && this.phase == Phase.BEFORE;
	}

	/**
	 * Return where to note what the current thread writes, if that is to be noted.
	 */
	@Nullable WriteJournal journal() {
		SuccessorThread other = this.successor;
		return (this.phase == Phase.GOES_ON && Thread.currentThread() != other) ? this.journal : null;
	}

	@Nullable SuccessorThread successorIfCurrent() {
		return (Thread.currentThread() instanceof SuccessorThread other) ? other : null;
	}

	private void reached(Kind kind, int number) {
		if (!this.script.point().is(kind, number)) {
			return;
		}
		this.phase = Phase.PAUSED;
		try {
			pause();
		}
		catch (RuntimeException ex) {
			this.problem = ex;
		}
		finally {
			this.phase = Phase.GOES_ON;
		}
	}

	private void pause() {
		Acquisition owner = this.first;
		Assert.state(owner != null, "There is no owner");
		Lease lease = new Lease(owner.resources(), owner.owner(), owner.generation());
		if (!this.provider.release(lease)) {
			throw new IllegalStateException("""
					The first owner's lease on %s was over before it came to %s, so that nothing can be told: make the \
					lease time longer""".formatted(owner.resources(), this.script.point()));
		}
		SuccessorThread other = new SuccessorThread(this.script.successor());
		this.successor = other;
		other.start();
		this.blocked = !other.awaitEndUnlessBlocked(this.script.timeout(), BLOCKED_AFTER);
		if (!this.blocked) {
			check(other, owner);
			this.tables.remember();
		}
	}

	private void check(SuccessorThread other, Acquisition owner) {
		Throwable failure = other.failure();
		if (failure != null) {
			throw new IllegalStateException("The successor failed, so that nothing can be told: " + failure, failure);
		}
		if (!this.successorHasLease) {
			throw new IllegalStateException("""
					The successor took no lease on %s, so that the first owner is not stale: let it call code that \
					locks the same resource""".formatted(owner.resources()));
		}
	}

	/**
	 * Tell what happened, when the first owner's call is over.
	 * @param failure what it has thrown, or null
	 * @return what happened
	 * @throws IllegalStateException if it shows nothing
	 */
	StaleOwnerResult result(@Nullable Throwable failure) {
		Phase reached = this.phase;
		this.phase = Phase.ENDED;
		SuccessorThread other = this.successor;
		Acquisition owner = this.first;
		if (this.problem != null) {
			throw this.problem;
		}
		if (owner == null || other == null) {
			throw neverPaused(failure);
		}
		Assert.state(reached != Phase.PAUSED, "The first owner's call returned while its locked code was paused");
		if (!this.blocked) {
			return new StaleOwnerResult(failure, this.rejections, this.tables.changes(), false);
		}
		other.awaitEnd(this.script.timeout());
		check(other, owner);
		return new StaleOwnerResult(failure, this.rejections, this.journal.leftovers(), true);
	}

	private IllegalStateException neverPaused(@Nullable Throwable failure) {
		String ended = (failure != null) ? "failed before it: " + failure : "returned before it";
		String seen = (this.first == null) ? "It took no lease"
				: "It ran %d statements and %d commits under the lease on %s".formatted(this.statements, this.commits,
						this.first.resources());
		return new IllegalStateException("The first owner never came to %s, so that nothing can be told. It %s. %s"
			.formatted(this.script.point(), ended, seen), failure);
	}

	/**
	 * How far the first owner has come.
	 */
	private enum Phase {

		BEFORE, PAUSED, GOES_ON, ENDED

	}

}
