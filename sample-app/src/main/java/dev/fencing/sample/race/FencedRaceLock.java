package dev.fencing.sample.race;

import java.time.Duration;
import java.util.function.Consumer;

import org.springframework.stereotype.Component;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * A lease with a fencing token, which the database checks.
 */
@Component
class FencedRaceLock implements RaceLock {

	private final FencedLockTemplate locks;

	private final FencedJdbcTemplate jdbc;

	FencedRaceLock(FencedLockTemplate locks, FencedJdbcTemplate jdbc) {
		this.locks = locks;
		this.jdbc = jdbc;
	}

	/**
	 * {@inheritDoc}
	 * <p>
	 * The longest hold is the lease time, so that the lease is not renewed: a thread that
	 * merely waits in a live process would keep it for ever.
	 */
	@Override
	public void withLease(long documentId, Duration leaseTime, Consumer<RaceLease> work) {
		LockRequest request = LockRequest.of("document")
			.key(documentId)
			.leaseTime(leaseTime)
			.maxHold(leaseTime)
			.waitTime(Waiting.LIMIT);
		this.locks.executeWithoutResult(request, (context) -> work.accept(new FencedLease(context)));
	}

	@Override
	public void write(long documentId, String title) {
		this.jdbc.update("update document set title = ? where id = ?", title, documentId);
	}

	private record FencedLease(FencingContext context) implements RaceLease {

		@Override
		public Long token() {
			return FencingTokens.of(this.context.generation(), 0);
		}

		@Override
		public boolean isOver() {
			return this.context.isLost() || this.context.remaining().isZero();
		}

	}

}
