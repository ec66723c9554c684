package dev.fencing.shedlock;

import java.time.Duration;
import java.util.Optional;

import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

import org.springframework.util.Assert;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContextHolder;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;

/**
 * Runs the jobs of ShedLock under leases of this library, so that the database refuses
 * what a job commits after its lock is over and another instance has begun. Jobs stay as
 * they are.
 *
 * <pre class="code">
 * &#064;Bean
 * LockProvider lockProvider(FencedLockTemplate locks) {
 *     return new FencedLockProvider(locks);
 * }
 * </pre>
 *
 * <p>
 * The times are ShedLock's: {@code lockAtMostFor} is how long the lease lasts, and it is
 * not renewed; {@code lockAtLeastFor} keeps others away, also when the job is done
 * sooner. A job that takes longer extends its lock with ShedLock's {@code LockExtender},
 * or has it extended by ShedLock's {@code KeepAliveLockProvider} around this one.
 *
 * <p>
 * Where {@code @SchedulerLock} and {@code @Transactional} are on one method, the lock has
 * to be taken first:
 * {@code @EnableSchedulerLock(order = Ordered.LOWEST_PRECEDENCE - 100)}. The other way
 * round, the job is refused with a {@link LockInsideTransactionException} and does not
 * run.
 *
 * @since 0.1.0
 */
public final class FencedLockProvider implements ExtensibleLockProvider {

	/**
	 * The lock name, which meters are tagged with.
	 */
	public static final String DEFAULT_LOCK_NAME = "shedlock";

	private final FencedLockTemplate locks;

	private final LockRequest lock;

	/**
	 * Create a provider whose resources are called {@code shedlock:<name of the job>}.
	 * @param locks takes the leases; never null
	 */
	public FencedLockProvider(FencedLockTemplate locks) {
		this(locks, DEFAULT_LOCK_NAME);
	}

	/**
	 * Create a provider.
	 * @param locks takes the leases; never null
	 * @param lockName the lock name, in front of the name of the job: without {@code :};
	 * never null
	 */
	public FencedLockProvider(FencedLockTemplate locks, String lockName) {
		Assert.notNull(locks, "'locks' must not be null");
		this.locks = locks;
		this.lock = LockRequest.of(lockName).waitTime(Duration.ZERO);
	}

	/**
	 * Take the lock for the current thread, without waiting.
	 * @param configuration the name of the job and its times; never null
	 * @return the lock, or empty if somebody has it, this thread included; never null
	 * @throws IllegalArgumentException if the name is blank or too long, or
	 * {@code lockAtMostFor} is shorter than {@value LockRequest#MIN_LEASE_MILLIS}
	 * milliseconds or longer than a year
	 * @throws LeaseProviderException if nobody can tell whether it is free: ShedLock does
	 * not run the job
	 * @throws LockInsideTransactionException if a transaction is active already
	 */
	@Override
	public Optional<SimpleLock> lock(LockConfiguration configuration) {
		LockRequest request = request(configuration);
		// Leases are reentrant, ShedLock's locks are not
		if (FencingContextHolder.find(request.resource()) != null) {
			return Optional.empty();
		}
		return this.locks.open(request).map((lease) -> new LeasedSimpleLock(configuration.getName(), lease));
	}

	private LockRequest request(LockConfiguration configuration) {
		try {
			return this.lock.key(configuration.getName())
				.leaseTime(configuration.getLockAtMostFor())
				.maxHold(configuration.getLockAtMostFor())
				.minHold(configuration.getLockAtLeastFor());
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"ShedLock's lock '%s' cannot be a lease. %s".formatted(configuration.getName(), ex.getMessage()),
					ex);
		}
	}

}
