package dev.fencing.integration;

import java.util.concurrent.locks.Lock;

import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.util.Assert;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;

/**
 * Gives the components of Spring Integration leases of this library as their locks, so
 * that the database refuses what is committed under a lock that another owner has by
 * then.
 *
 * <pre class="code">
 * &#064;Bean
 * LockRegistry&lt;?&gt; lockRegistry(FencedLockTemplate locks) {
 *     return new FencedLockRegistry(locks);
 * }
 * </pre>
 *
 * <p>
 * The locks belong to the thread that has locked them, and may be locked again by it.
 * While they are held, they are renewed: {@code fencing.lock.lease-time} is how long they
 * last when the process dies, {@code fencing.lock.wait-time} does not matter. Conditions
 * are not supported. A lock throws
 * <ul>
 * <li>{@link LeaseProviderException} if nobody can tell whether it is free, and
 * {@link LeaseUnavailableException} if its owner could not be registered in the
 * database;</li>
 * <li>{@link LockInsideTransactionException} inside an open transaction, such as that of
 * a poller: lock outside of it;</li>
 * <li>{@link LeaseUnavailableException} if it is locked again after its lease was lost:
 * it has to be unlocked first;</li>
 * <li>{@link IllegalMonitorStateException} if it is unlocked by a thread that does not
 * hold it;</li>
 * <li>{@link java.util.ConcurrentModificationException} if it is unlocked after its lease
 * was lost, as the other registries do. It is unlocked all the same. Nothing in the
 * fenced database is compromised, but messages that were sent may be.</li>
 * </ul>
 *
 * <p>
 * Transactions are guarded on the thread that holds the lock: not what a leader does on
 * other threads, nor what is behind a channel with threads of its own.
 *
 * @since 0.1.0
 */
// Raw, since the type has no parameter before Spring Integration 7: with one in the
// signature of this class, Spring could not read its interfaces there
@SuppressWarnings("rawtypes")
public final class FencedLockRegistry implements LockRegistry {

	/**
	 * The lock name, which meters are tagged with.
	 */
	public static final String DEFAULT_LOCK_NAME = "integration";

	private final FencedLockTemplate locks;

	private final LockRequest lock;

	private final ThreadLocks threadLocks = new ThreadLocks();

	/**
	 * Create a registry whose resources are called {@code integration:<key>}.
	 * @param locks takes the leases; never null
	 */
	public FencedLockRegistry(FencedLockTemplate locks) {
		this(locks, DEFAULT_LOCK_NAME);
	}

	/**
	 * Create a registry.
	 * @param locks takes the leases; never null
	 * @param lockName the lock name, in front of the key: without {@code :}; never null
	 */
	public FencedLockRegistry(FencedLockTemplate locks, String lockName) {
		Assert.notNull(locks, "'locks' must not be null");
		this.locks = locks;
		this.lock = LockRequest.of(lockName);
	}

	/**
	 * Obtain the lock of a key. Nothing is asked of anybody, and nothing is kept for it.
	 * @param lockKey text, a number, an enum constant, a UUID, a date or time of
	 * {@code java.time}
	 * @return the lock; the same as all locks of an equal key; never null
	 * @throws IllegalArgumentException if that cannot be a key
	 */
	@Override
	public Lock obtain(Object lockKey) {
		return new LeasedLock(this.locks, this.lock.key(lockKey), this.threadLocks);
	}

}
