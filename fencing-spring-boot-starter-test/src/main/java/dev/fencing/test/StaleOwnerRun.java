package dev.fencing.test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.FencingContext;
import dev.fencing.Rejection;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseState;
import dev.fencing.test.PausePoint.Kind;
import dev.fencing.transaction.Acquisition;
import dev.fencing.transaction.OpenTransactions;

/**
 * One run: follows the first owner to the point where it is paused, and does there, on
 * its thread, what happens meanwhile. What goes wrong is kept until the end, so that the
 * code under test sees nothing of it.
 *
 * <p>
 * What the first owner leaves is found by comparing tables: from the end of its successor
 * on. If the successor waits for rows that the first owner has locked, it has to be let
 * go on first. Then the successor is held as soon as it has the rows, with nothing
 * committed, and the tables are compared over that time as well.
 */
final class StaleOwnerRun {

	/**
	 * How long a statement of the successor takes until it is taken for one that waits
	 * for rows of the paused owner. Nothing is told wrongly if it is merely slow.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(250);

	private final StaleOwner.Script script;

	private final LeaseProvider provider;

	private final TableReader tables;

	private final Leftovers leftovers = new Leftovers();

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private final Successor successor;

	private volatile Phase phase = Phase.BEFORE;

	private volatile @Nullable Thread firstThread;

	private volatile List<Acquisition> owners = List.of();

	private volatile @Nullable RuntimeException problem;

	// What follows is used on the first owner's thread, and when its call is over

	private @Nullable TableSnapshot beforeSuccessor;

	private @Nullable TableSnapshot afterSuccessor;

	private boolean compared;

	private boolean blocked;

	private int statements;

	private int commits;

	private boolean completing;

	StaleOwnerRun(StaleOwner.Script script, LeaseProvider provider, TableReader tables) {
		this.script = script;
		this.provider = provider;
		this.tables = tables;
		this.successor = new Successor(script.successor(), script.timeout());
	}

	void leaseAcquired(FencingContext context) {
		switch (this.phase) {
			case BEFORE -> {
				if (this.firstThread == null && context instanceof Acquisition acquisition
						&& this.script.isAbout(context.name())) {
					this.firstThread = Thread.currentThread();
					this.owners = List.of(acquisition);
					reached(Kind.BODY, 1);
				}
			}
			case PAUSED -> {
				if (concerns(context)) {
					this.successor.ownsLease();
				}
			}
			case GOES_ON -> {
				// What it does from now on, it does as the rightful owner
				if (Thread.currentThread() == this.firstThread && concerns(context)) {
					keepProblem(this::goesOnNoMore);
				}
			}
			case OVER -> {
			}
		}
	}

	private boolean concerns(FencingContext context) {
		return resources().stream().anyMatch(context.resources()::contains);
	}

	private List<String> resources() {
		return this.owners.stream().flatMap((owner) -> owner.resources().stream()).toList();
	}

	void rejected(Rejection rejection) {
		if (this.owners.stream().anyMatch((owner) -> owner.owner().equals(rejection.owner()))) {
			this.rejections.add(rejection);
		}
	}

	/**
	 * Note that a statement of the application is about to be sent.
	 */
	void beforeStatement() {
		if (isBeforeThePoint() && !this.completing) {
			reached(Kind.STATEMENT, ++this.statements);
		}
	}

	/**
	 * Note that a transaction is about to be guarded, if its manager has not told so.
	 */
	void beforeGuard() {
		if (isBeforeThePoint() && !this.completing) {
			reached(Kind.COMMIT, ++this.commits);
		}
	}

	/**
	 * Note that a transaction manager is about to commit.
	 */
	void beforeCommit() {
		if (isBeforeThePoint()) {
			this.completing = true;
			reached(Kind.COMMIT, ++this.commits);
		}
	}

	void afterCompletion() {
		if (Thread.currentThread() == this.firstThread) {
			this.completing = false;
		}
	}

	private boolean isBeforeThePoint() {
		return this.phase == Phase.BEFORE && Thread.currentThread() == this.firstThread;
	}

	/**
	 * Note that a connection has completed a transaction: a successor that has waited for
	 * its rows gets them now.
	 */
	void connectionCompleted() {
		if (this.phase == Phase.GOES_ON && Thread.currentThread() == this.firstThread) {
			keepProblem(() -> awaitSuccessor(PATIENCE));
		}
	}

	/**
	 * Return the successor, if the current thread is its.
	 */
	@Nullable Successor currentSuccessor() {
		return this.successor.isCurrentThread() ? this.successor : null;
	}

	boolean isOwnTable(String sql) {
		return this.script.ownTables().test(sql);
	}

	private void reached(Kind kind, int number) {
		if (this.script.point().is(kind, number)) {
			this.phase = Phase.PAUSED;
			keepProblem(this::pause);
			this.phase = Phase.GOES_ON;
		}
	}

	private void keepProblem(Runnable step) {
		if (this.problem == null) {
			try {
				step.run();
			}
			catch (RuntimeException ex) {
				this.problem = ex;
			}
		}
	}

	private void pause() {
		// All that its thread holds: a process that freezes loses every lease
		this.owners = List.copyOf(OpenTransactions.heldAcquisitions());
		this.owners.forEach(this::takeBack);
		this.beforeSuccessor = this.tables.read();
		this.successor.start();
		if (this.successor.awaitEndOrHold(PATIENCE)) {
			checkSuccessor();
			this.afterSuccessor = this.tables.read();
		}
		else {
			this.blocked = true;
		}
	}

	private void takeBack(Acquisition owner) {
		if (!this.provider.release(new Lease(owner.resources(), owner.owner(), owner.generation()))) {
			throw new IllegalStateException("""
					The first owner's lease on %s was over before it came to %s, so that nothing can be told: make the \
					lease time longer""".formatted(owner.resources(), this.script.point()));
		}
	}

	/**
	 * Have a successor finish that was held when it had the rows.
	 */
	private void awaitSuccessor(Duration patience) {
		TableSnapshot before = this.beforeSuccessor;
		if (this.afterSuccessor != null || before == null || !this.successor.awaitHeld(patience)) {
			return;
		}
		if (this.successor.hasCommitted()) {
			throw new IllegalStateException("""
					The successor waited for rows of the first owner outside of a transaction, so that nobody can tell \
					apart what the two have written: pause the first owner before it writes""");
		}
		before.compare(this.tables.read(), this.leftovers);
		this.successor.finish();
		checkSuccessor();
		this.afterSuccessor = this.tables.read();
	}

	private void checkSuccessor() {
		Throwable failure = this.successor.failure();
		if (failure != null) {
			throw new IllegalStateException("The successor failed, so that nothing can be told: " + failure, failure);
		}
		if (!this.successor.hasLease()) {
			throw new IllegalStateException("""
					The successor took no lease on %s, so that the first owner is not stale: let it call code that \
					locks the same resource""".formatted(resources()));
		}
	}

	private void goesOnNoMore() {
		awaitSuccessor(this.script.timeout());
		if (this.afterSuccessor == null) {
			this.successor.finish();
			throw new IllegalStateException("""
					The successor was slow and not held, so that nobody can tell apart what the two have written""");
		}
		if (!this.compared) {
			this.compared = true;
			this.afterSuccessor.compare(this.tables.read(), this.leftovers);
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
		if (reached == Phase.GOES_ON) {
			keepProblem(this::goesOnNoMore);
		}
		this.phase = Phase.OVER;
		forgetShortestHolds();
		if (this.problem != null) {
			throw this.problem;
		}
		if (reached == Phase.BEFORE) {
			throw neverPaused(failure);
		}
		Assert.state(reached == Phase.GOES_ON,
				() -> "The first owner's call returned while its locked code was paused, under the lease on %s"
					.formatted(resources()));
		return new StaleOwnerResult(failure, this.rejections, this.leftovers, this.blocked);
	}

	/**
	 * Free what a shortest hold keeps: the next run comes sooner.
	 */
	private void forgetShortestHolds() {
		for (String resource : Set.copyOf(resources())) {
			LeaseState state = this.provider.find(resource);
			if (state != null && state.isReleased()) {
				this.provider.release(state.lease());
			}
		}
	}

	private IllegalStateException neverPaused(@Nullable Throwable failure) {
		String ended = (failure != null) ? "failed before it: " + failure : "returned before it";
		List<String> resources = resources();
		String seen = resources.isEmpty() ? "It took no lease"
				: "It ran %d statements and %d commits under the lease on %s".formatted(this.statements, this.commits,
						resources);
		return new IllegalStateException("The first owner never came to %s, so that nothing can be told. It %s. %s"
			.formatted(this.script.point(), ended, seen), failure);
	}

	/**
	 * How far the first owner has come.
	 */
	private enum Phase {

		BEFORE, PAUSED, GOES_ON, OVER

	}

}
