package dev.fencing.lease;

import java.time.Duration;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;

/**
 * Takes leases, waiting for their holders up to the wait time, and gives them back.
 *
 * @since 0.1.0
 */
public final class LeaseAcquirer {

	private static final Log logger = LogFactory.getLog(LeaseAcquirer.class);

	private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

	/**
	 * How long the provider may take to answer when less is left to wait: a single
	 * attempt needs a round trip as well, the first one a connection.
	 */
	private static final Duration MIN_ANSWER_TIME = Duration.ofSeconds(5);

	private final LeaseProvider provider;

	private final LeaseSettings settings;

	private final HeldLeases held;

	private final Nonces nonces = new Nonces();

	/**
	 * Create an acquirer.
	 * @param provider gives out the leases; never null
	 * @param settings what applies where a request says nothing; never null
	 * @param held where to enter what is held; never null
	 */
	public LeaseAcquirer(LeaseProvider provider, LeaseSettings settings, HeldLeases held) {
		this.provider = provider;
		this.settings = settings;
		this.held = held;
	}

	/**
	 * Take a lease.
	 * @param request what to take; never null
	 * @param waitTime how long to wait for its holder; never null
	 * @return the lease, or null if another owner kept it until the wait time was over
	 * @throws LeaseUnavailableException if the thread was interrupted while it waited (it
	 * stays interrupted)
	 * @throws LeaseProviderException if the provider failed
	 */
	public @Nullable LeaseHold acquire(LockRequest request, Duration waitTime) {
		this.held.begin();
		LeaseHold hold = null;
		try {
			hold = tryUntil(request, waitTime);
			return hold;
		}
		finally {
			if (hold == null) {
				this.held.end();
			}
		}
	}

	private @Nullable LeaseHold tryUntil(LockRequest request, Duration waitTime) {
		Duration leaseTime = (request.leaseTime() != null) ? request.leaseTime() : this.settings.leaseTime();
		Duration maxHold = (request.maxHold() != null) ? request.maxHold() : this.settings.maxHold();
		if (maxHold != null && maxHold.compareTo(leaseTime) < 0) {
			leaseTime = maxHold;
		}
		String nonce = this.nonces.next();
		long start = System.nanoTime();
		int lateAnswers = 0;
		while (true) {
			Duration left = waitTime.minusNanos(System.nanoTime() - start);
			long requestedAt = System.nanoTime();
			LeaseAttempt attempt = this.provider
				.acquire(new LeaseRequest(request.resource(), nonce, leaseTime, max(left, MIN_ANSWER_TIME)));
			left = waitTime.minusNanos(System.nanoTime() - start);
			if (attempt instanceof LeaseAttempt.Granted granted) {
				LeaseHold hold = new LeaseHold(request.name(), granted.lease(), leaseTime, maxHold, requestedAt);
				if (!hold.isLost()) {
					this.held.add(hold);
					return hold;
				}
				// Nothing may run under it. The first answer may be late since a
				// connection
				// had to be opened: that is worth another attempt, whatever the wait time
				releaseQuietly(granted.lease());
				nonce = this.nonces.next();
				if (++lateAnswers > 1 && isOver(left)) {
					throw new LeaseProviderException("""
							The lease on '%s' was granted, but the answer took longer than the lease time, %s: make \
							that longer than the slowest answer of the %s provider""".formatted(request.resource(),
							leaseTime, this.provider.name()));
				}
			}
			else if (isOver(left)) {
				return null;
			}
			else {
				sleep(request, min(min(((LeaseAttempt.Held) attempt).remaining(), POLL_INTERVAL), left));
			}
		}
	}

	private static boolean isOver(Duration left) {
		return left.isNegative() || left.isZero();
	}

	/**
	 * Give a lease back.
	 * @param hold the lease; never null
	 * @param release whether to tell the provider; otherwise the lease runs out by itself
	 */
	public void end(LeaseHold hold, boolean release) {
		this.held.remove(hold);
		// Who still has the context, in another thread, is told that it is over
		hold.takenAway();
		try {
			if (release) {
				releaseQuietly(hold.lease());
			}
		}
		finally {
			this.held.end();
		}
	}

	private void releaseQuietly(Lease lease) {
		// An interrupted owner gives its lease back as any other
		boolean interrupted = Thread.interrupted();
		try {
			if (!this.provider.release(lease)) {
				logger.debug("Lease on '%s' was over before it was released".formatted(lease.resource()));
			}
		}
		catch (RuntimeException ex) {
			// The work is done, its result stands: the lease ends when its time is over
			logger.debug("Lease on '%s' could not be released and runs out".formatted(lease.resource()), ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static void sleep(LockRequest request, Duration time) {
		try {
			Thread.sleep(Math.max(1, time.toMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LeaseUnavailableException("Interrupted while waiting for '%s'".formatted(request.resource()), ex);
		}
	}

	private static Duration max(Duration first, Duration second) {
		return (first.compareTo(second) >= 0) ? first : second;
	}

	private static Duration min(Duration first, Duration second) {
		return (first.compareTo(second) <= 0) ? first : second;
	}

}
