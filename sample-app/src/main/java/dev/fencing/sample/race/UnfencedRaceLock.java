package dev.fencing.sample.race;

import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * The usual lock, and plain JDBC.
 */
@Component
class UnfencedRaceLock implements RaceLock {

	private final UnfencedLock lock;

	private final JdbcTemplate jdbc;

	UnfencedRaceLock(UnfencedLock lock, JdbcTemplate jdbc) {
		this.lock = lock;
		this.jdbc = jdbc;
	}

	@Override
	public void withLease(long documentId, Duration leaseTime, Consumer<RaceLease> work) {
		String resource = "document:" + documentId;
		UnfencedLease lease = new UnfencedLease(this.lock, resource, acquire(resource, leaseTime));
		try {
			work.accept(lease);
		}
		finally {
			this.lock.release(resource, lease.owner());
		}
	}

	private String acquire(String resource, Duration leaseTime) {
		return Waiting.forValue(() -> this.lock.tryAcquire(resource, leaseTime), "the unfenced lock is free");
	}

	@Override
	public void write(long documentId, String title) {
		this.jdbc.update("update document set title = ? where id = ?", title, documentId);
	}

	private record UnfencedLease(UnfencedLock lock, String resource, String owner) implements RaceLease {

		@Override
		public @Nullable Long token() {
			return null;
		}

		@Override
		public boolean isOver() {
			return !this.lock.isHeld(this.resource, this.owner);
		}

	}

}
