package dev.fencing.integration;

import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedLease;
import dev.fencing.LeaseUnavailableException;

/**
 * The locks of a registry that the current thread holds. A lease is bound to its thread,
 * and so are these.
 */
final class ThreadLocks {

	// Not static: another registry may have other leases under the same names
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Map<String, ThreadLock>> held = new ThreadLocal<>();

	/**
	 * Note that the thread has locked a resource for the first time.
	 * @param resource the resource
	 * @param lease its lease
	 */
	void add(String resource, FencedLease lease) {
		Map<String, ThreadLock> locks = this.held.get();
		if (locks == null) {
			locks = new HashMap<>();
			this.held.set(locks);
		}
		locks.put(resource, new ThreadLock(lease));
	}

	/**
	 * Lock a resource once more, if the thread holds it.
	 * @param resource the resource
	 * @return whether the thread holds it
	 * @throws LeaseUnavailableException if its lease was lost: a new one would let code
	 * go on that has read under the old one
	 */
	boolean enter(String resource) {
		ThreadLock lock = find(resource);
		if (lock == null) {
			return false;
		}
		if (lock.lease.context().isLost()) {
			throw new LeaseUnavailableException("""
					The lease on '%s' was lost while this thread held it: unlock it before it is locked again"""
				.formatted(resource));
		}
		lock.count++;
		return true;
	}

	/**
	 * Unlock a resource, which the thread holds until it has done so as often as it has
	 * locked it.
	 * @param resource the resource
	 * @throws IllegalMonitorStateException if the thread does not hold it
	 * @throws ConcurrentModificationException if it does not hold it any more from now
	 * on, but the lease was lost before
	 */
	void leave(String resource) {
		ThreadLock lock = find(resource);
		if (lock == null) {
			throw new IllegalMonitorStateException("'%s' is not locked by this thread".formatted(resource));
		}
		lock.count--;
		if (lock.count == 0) {
			remove(resource);
			close(resource, lock.lease);
		}
	}

	private static void close(String resource, FencedLease lease) {
		boolean lost = lease.context().isLost();
		lease.close();
		if (lost) {
			throw new ConcurrentModificationException("""
					The lease on '%s' was lost before it was unlocked. The fenced database refuses what is stale; \
					whatever else was done may have been done by another owner as well""".formatted(resource));
		}
	}

	private @Nullable ThreadLock find(String resource) {
		Map<String, ThreadLock> locks = this.held.get();
		return (locks != null) ? locks.get(resource) : null;
	}

	private void remove(String resource) {
		Map<String, ThreadLock> locks = this.held.get();
		if (locks != null) {
			locks.remove(resource);
			if (locks.isEmpty()) {
				this.held.remove();
			}
		}
	}

	private static final class ThreadLock {

		private final FencedLease lease;

		private int count = 1;

		private ThreadLock(FencedLease lease) {
			this.lease = lease;
		}

	}

}
