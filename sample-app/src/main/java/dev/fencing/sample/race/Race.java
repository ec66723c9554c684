package dev.fencing.sample.race;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * The choreography of one race. A takes a short lease and pauses at the given point.
 * Since then, B asks for the lease. A goes on when its pause is over and, if that is to
 * outlast the lease, the lease is over as well and B has come as far as it can get. All
 * waits but the pause itself are for conditions, and bounded.
 * <p>
 * Where A has not written yet, B works and commits while A pauses. Where A has written,
 * its open transaction holds the row: B takes the lease, reads, and its write waits in
 * the database until A's transaction is over. Where A comes back in time, it commits and
 * gives back the lease, and B comes after it.
 */
final class Race {

	private static final String A = "A";

	private static final String B = "B";

	private static final Duration LONG_LEASE = Duration.ofMinutes(2);

	/**
	 * A pauses for as long as the steps in between may take.
	 */
	private static final Duration PAUSE_LIMIT = Waiting.LIMIT.multipliedBy(3);

	private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("race-");

	private final RacePlan plan;

	private final RaceDatabase database;

	private final RaceLog log;

	private final RaceWorker workerA;

	private final RaceWorker workerB;

	private final CompletableFuture<RaceLease> leaseOfA = new CompletableFuture<>();

	private final CompletableFuture<Long> pausedA = new CompletableFuture<>();

	private final CompletableFuture<Boolean> resumeA = new CompletableFuture<>();

	private final CompletableFuture<Boolean> releasingA = new CompletableFuture<>();

	private final CompletableFuture<Boolean> endedA = new CompletableFuture<>();

	private boolean expiredA;

	private final CompletableFuture<Boolean> askedB = new CompletableFuture<>();

	private final CompletableFuture<Integer> processOfB = new CompletableFuture<>();

	private final CompletableFuture<Boolean> endedB = new CompletableFuture<>();

	Race(long documentId, RacePlan plan, RaceLock lock, RaceDatabase database, RaceLog log) {
		this.plan = plan;
		this.database = database;
		this.log = log;
		this.workerA = new RaceWorker(A, documentId, plan.leaseTime(), lock, database, log, new PausingSteps());
		this.workerB = new RaceWorker(B, documentId, LONG_LEASE, lock, database, log, new TakingOverSteps());
	}

	void run() {
		try {
			start(this.workerA, this.endedA, this.leaseOfA, this.pausedA);
			RaceLease lease = Waiting.forSignal(this.leaseOfA, Waiting.LIMIT, "A has its lease");
			long paused = Waiting.forSignal(this.pausedA, Waiting.LIMIT, "A pauses");
			start(this.workerB, this.endedB, this.askedB, this.processOfB);
			Waiting.forSignal(this.askedB, Waiting.LIMIT, "B asks for the lease");
			if (this.plan.outlastsLease()) {
				Waiting.until(lease::isOver, "A's lease is over");
				leaseOfAIsOver();
				letBTakeOver();
			}
			if (this.plan.pauseTime() != null) {
				Waiting.pass(this.plan.pauseTime().minusNanos(System.nanoTime() - paused));
			}
		}
		finally {
			this.resumeA.complete(true);
		}
		Waiting.forSignal(this.endedA, Waiting.LIMIT, "A is done");
		Waiting.forSignal(this.endedB, Waiting.LIMIT, "B is done");
	}

	private void letBTakeOver() {
		if (aHoldsTheRow()) {
			int process = Waiting.forSignal(this.processOfB, Waiting.LIMIT, "B has taken over and read");
			Waiting.until(() -> this.database.isBlocked(process), "B's write waits for A's row");
			this.log.add(B, RaceEventType.WAITING);
		}
		else {
			Waiting.forSignal(this.endedB, Waiting.LIMIT, "B has taken over and is done");
		}
	}

	private boolean aHoldsTheRow() {
		return this.plan.outlastsLease() && this.plan.pause() == PausePoint.BEFORE_COMMIT;
	}

	/**
	 * Said once, by whoever notices first: the one who looks after the race, or B, which
	 * has got the lease.
	 */
	private synchronized void leaseOfAIsOver() {
		if (!this.expiredA) {
			this.expiredA = true;
			this.log.add(A, RaceEventType.LEASE_EXPIRED);
		}
	}

	/**
	 * Start a worker. When it fails, its signals fail with it, so that nobody waits for
	 * them any more.
	 */
	private void start(RaceWorker worker, CompletableFuture<Boolean> ended, CompletableFuture<?>... signals) {
		this.threads.execute(() -> {
			try {
				worker.run();
				ended.complete(true);
			}
			catch (RuntimeException | Error ex) {
				ended.completeExceptionally(ex);
				Arrays.stream(signals).forEach((signal) -> signal.completeExceptionally(ex));
			}
		});
	}

	/**
	 * A: pauses.
	 */
	private final class PausingSteps implements RaceSteps {

		@Override
		public void asking() {
		}

		@Override
		public void acquired(RaceLease lease) {
			Race.this.leaseOfA.complete(lease);
		}

		@Override
		public void reached(PausePoint point) {
			if (point == Race.this.plan.pause()) {
				Race.this.log.add(A, RaceEventType.PAUSED);
				Race.this.pausedA.complete(System.nanoTime());
				Waiting.forSignal(Race.this.resumeA, PAUSE_LIMIT, "A goes on");
				Race.this.log.add(A, RaceEventType.RESUMED);
			}
		}

		@Override
		public void written() {
		}

		@Override
		public void releasing() {
			Race.this.releasingA.complete(true);
		}

	}

	/**
	 * B: says where it is.
	 */
	private final class TakingOverSteps implements RaceSteps {

		@Override
		public void asking() {
			Race.this.log.add(B, RaceEventType.REQUESTED);
			Race.this.askedB.complete(true);
		}

		/**
		 * Let A say first what became of its lease.
		 */
		@Override
		public void acquired(RaceLease lease) {
			if (Race.this.releasingA.isDone()) {
				Waiting.forSignal(Race.this.endedA, Waiting.LIMIT, "A is done");
			}
			else {
				leaseOfAIsOver();
			}
		}

		@Override
		public void reached(PausePoint point) {
			if (point == PausePoint.BEFORE_WRITE) {
				Race.this.processOfB.complete(Race.this.database.currentProcess());
			}
		}

		/**
		 * Where the write had to wait for A's transaction, let A say first how that
		 * ended.
		 */
		@Override
		public void written() {
			if (aHoldsTheRow()) {
				Waiting.forSignal(Race.this.endedA, Waiting.LIMIT, "A is done");
			}
		}

		@Override
		public void releasing() {
		}

	}

}
