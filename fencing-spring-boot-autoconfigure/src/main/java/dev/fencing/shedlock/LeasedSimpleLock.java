package dev.fencing.shedlock;

import java.time.Duration;
import java.util.Optional;

import net.javacrumbs.shedlock.core.SimpleLock;

import org.springframework.util.Assert;

import dev.fencing.FencedLease;

/**
 * A lease as ShedLock sees it. An extension makes a new one of it, for the same lease.
 *
 * <p>
 * Not one of ShedLock's {@code AbstractSimpleLock}s: these cannot be unlocked any more
 * when an extension was refused, and the lease would stay bound to its thread, which is a
 * pool's.
 */
final class LeasedSimpleLock implements SimpleLock {

	private final String name;

	private final FencedLease lease;

	private volatile State state = State.HELD;

	/**
	 * Create a lock.
	 * @param name what ShedLock calls it
	 * @param lease the open lease
	 */
	LeasedSimpleLock(String name, FencedLease lease) {
		this.name = name;
		this.lease = lease;
	}

	@Override
	public void unlock() {
		Assert.state(this.state != State.OVER, this::describeOver);
		// Refused on another thread: then it is held as before
		this.lease.close();
		this.state = State.OVER;
	}

	@Override
	public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
		Assert.state(this.state == State.HELD, this::describeOver);
		if (!this.lease.extend(lockAtMostFor, lockAtLeastFor)) {
			this.state = State.LOST;
			return Optional.empty();
		}
		this.state = State.OVER;
		return Optional.of(new LeasedSimpleLock(this.name, this.lease));
	}

	private String describeOver() {
		return "The lock '%s' was %s already".formatted(this.name,
				(this.state == State.LOST) ? "lost" : "unlocked or extended");
	}

	private enum State {

		/** May be extended and unlocked. */
		HELD,

		/** May only be unlocked. */
		LOST,

		/** Is unlocked, or another one after an extension. */
		OVER

	}

}
