package dev.fencing.sample.race;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.fencing.StaleGenerationException;
import dev.fencing.sample.document.Document;

/**
 * One of the two owners. Under its lease it appends its name to the document's title: it
 * reads the title and writes what it has made of it, in one transaction. To be run once.
 */
final class RaceWorker {

	private final String name;

	private final long documentId;

	private final Duration leaseTime;

	private final RaceLock lock;

	private final RaceDatabase database;

	private final RaceLog log;

	private final RaceSteps steps;

	RaceWorker(String name, long documentId, Duration leaseTime, RaceLock lock, RaceDatabase database, RaceLog log,
			RaceSteps steps) {
		this.name = name;
		this.documentId = documentId;
		this.leaseTime = leaseTime;
		this.lock = lock;
		this.database = database;
		this.log = log;
		this.steps = steps;
	}

	/**
	 * Work. A refusal by the database is an event like others, all else is thrown.
	 */
	void run() {
		try {
			LeaseEnd end = new LeaseEnd();
			this.steps.asking();
			this.lock.withLease(this.documentId, this.leaseTime, (lease) -> {
				this.steps.acquired(lease);
				this.log.add(this.name, RaceEventType.ACQUIRED, lease.token(), null);
				this.database.inTransaction(this::appendName);
				this.log.add(this.name, RaceEventType.COMMITTED, null, this.database.get(this.documentId).title());
				end.wasOver = lease.isOver();
				if (!end.wasOver) {
					this.steps.releasing();
				}
			});
			if (!end.wasOver) {
				this.log.add(this.name, RaceEventType.RELEASED);
			}
		}
		catch (StaleGenerationException ex) {
			this.log.rejected(this.name, ex);
		}
	}

	private void appendName() {
		this.steps.reached(PausePoint.BEFORE_READ);
		Document read = this.database.get(this.documentId);
		this.log.add(this.name, RaceEventType.READ, null, read.title());
		this.steps.reached(PausePoint.BEFORE_WRITE);
		this.lock.write(this.documentId, read.title() + mark(this.name));
		this.steps.written();
		Document written = this.database.get(this.documentId);
		this.log.add(this.name, RaceEventType.WROTE, tokenOf(written), written.title());
		this.steps.reached(PausePoint.BEFORE_COMMIT);
	}

	/**
	 * Return what a worker appends to the title.
	 */
	static String mark(String worker) {
		return " +" + worker;
	}

	private static @Nullable Long tokenOf(Document document) {
		return (document.fencingToken() != 0) ? document.fencingToken() : null;
	}

	/**
	 * Whether the lease was over before it could be given back.
	 */
	private static final class LeaseEnd {

		private boolean wasOver;

	}

}
