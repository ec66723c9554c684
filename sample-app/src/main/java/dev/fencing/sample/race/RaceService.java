package dev.fencing.sample.race;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.stereotype.Service;

/**
 * Runs races, one at a time, each on a document of its own.
 */
@Service
class RaceService {

	private static final String TITLE = "draft";

	private static final Duration TURN_LIMIT = Duration.ofSeconds(30);

	private final ReentrantLock turn = new ReentrantLock(true);

	private final FencedRaceLock fencedLock;

	private final UnfencedRaceLock unfencedLock;

	private final RaceDatabase database;

	private final RaceRejections rejections;

	RaceService(FencedRaceLock fencedLock, UnfencedRaceLock unfencedLock, RaceDatabase database,
			RaceRejections rejections) {
		this.fencedLock = fencedLock;
		this.unfencedLock = unfencedLock;
		this.database = database;
		this.rejections = rejections;
	}

	RaceResult run(boolean fenced, PausePoint pause) {
		return run(fenced, RacePlan.of(pause));
	}

	RaceResult run(boolean fenced, RacePlan plan) {
		takeTurn();
		try {
			return run(fenced, plan, this.database.create(TITLE).id());
		}
		finally {
			this.turn.unlock();
		}
	}

	private void takeTurn() {
		try {
			if (this.turn.tryLock(TURN_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
				return;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		throw new RaceRunningException();
	}

	private RaceResult run(boolean fenced, RacePlan plan, long documentId) {
		String resource = "document:" + documentId;
		this.rejections.watch(resource);
		try {
			RaceLock lock = fenced ? this.fencedLock : this.unfencedLock;
			// What is slow only once, like connecting, must not eat up A's short lease
			lock.withLease(documentId, Waiting.LIMIT, (lease) -> {
			});
			RaceLog log = new RaceLog();
			new Race(documentId, plan, lock, this.database, log).run();
			return RaceResult.of(fenced, plan, resource, TITLE, log.events(), this.database.get(documentId).title(),
					this.rejections.count(resource));
		}
		finally {
			this.rejections.forget(resource);
		}
	}

}
