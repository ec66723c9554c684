package dev.fencing.lease;

import java.time.Duration;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;

/**
 * Takes leases, waiting for their holders up to the wait time, and gives them back. In a
 * process those who want a resource stand in a line: who came first is served first, and
 * nobody else in it makes an attempt meanwhile.
 *
 * @since 0.1.0
 */
public final class LeaseAcquirer {

	private static final Log logger = LogFactory.getLog(LeaseAcquirer.class);

	private final LeaseProvider provider;

	private final LeaseRenewer renewer;

	private final LeaseSettings settings;

	private final HeldLeases held;

	private final WaitingLines lines;

	private final Nonces nonces = new Nonces();

	/**
	 * Create an acquirer.
	 * @param provider gives out the leases; never null
	 * @param renewer renews them while they are held; never null
	 * @param settings what applies where a request says nothing; never null
	 * @param held where to enter what is held; never null
	 */
	public LeaseAcquirer(LeaseProvider provider, LeaseRenewer renewer, LeaseSettings settings, HeldLeases held) {
		this.provider = provider;
		this.renewer = renewer;
		this.settings = settings;
		this.held = held;
		this.lines = new WaitingLines(provider);
	}

	/**
	 * Take a lease, which is renewed until it is {@linkplain #end ended}.
	 * @param request what to take; never null
	 * @param waitTime how long to wait for its holder, and for others of this process who
	 * came before; never null
	 * @return the lease, or null if another owner kept it until the wait time was over
	 * @throws LeaseUnavailableException if the thread was interrupted while it waited (it
	 * stays interrupted)
	 * @throws LeaseProviderException if the provider failed
	 */
	public @Nullable LeaseHold acquire(LockRequest request, Duration waitTime) {
		this.held.begin();
		LeaseHold hold = null;
		try {
			hold = awaitTurn(request, new WaitBudget(waitTime));
			return hold;
		}
		catch (LeaseProviderException ex) {
			// Whether it waited for the holder or for an answer is the same to the caller
			if (NestedExceptionUtils.getRootCause(ex) instanceof InterruptedException interruption) {
				throw interrupted(request, interruption);
			}
			throw ex;
		}
		finally {
			if (hold == null) {
				this.held.end();
			}
		}
	}

	private @Nullable LeaseHold awaitTurn(LockRequest request, WaitBudget budget) {
		try (Place place = new Place(this.lines, budget, request.name())) {
			return attempt(request, budget, place);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw interrupted(request, ex);
		}
	}

	private @Nullable LeaseHold attempt(LockRequest request, WaitBudget budget, Place place)
			throws InterruptedException {
		HoldTimes times = HoldTimes.of(request, this.settings);
		String nonce = this.nonces.next();
		String inTheWay = request.resource();
		int lateAnswers = 0;
		while (place.awaitTurn(inTheWay)) {
			LeaseHold hold = new LeaseHold(request.name(), times);
			LeaseAttempt attempt = attempt(hold, new LeaseRequest(request.resources(), nonce, times.leaseTime(),
					budget.answerTime(), place.watched()));
			if (attempt instanceof LeaseAttempt.Held other) {
				boolean inThisLine = other.resource().equals(inTheWay);
				if (inThisLine) {
					place.block();
				}
				if (budget.isOver()) {
					return null;
				}
				if (inThisLine) {
					place.awaitRelease(other.remaining());
				}
				inTheWay = other.resource();
			}
			else if (!hold.isLost()) {
				this.held.add(hold);
				return hold;
			}
			else {
				// Nothing may run under it. The first answer may be late because of a
				// connection that was opened: worth another attempt, whatever is left
				this.renewer.disarm(hold);
				releaseQuietly(hold, Duration.ZERO);
				nonce = this.nonces.next();
				if (++lateAnswers > 2 || (lateAnswers > 1 && budget.isOver())) {
					throw new LeaseProviderException("""
							The lease on '%s' was granted, but the answer took longer than the lease time, %s: make \
							that longer than the slowest answer of the %s provider""".formatted(request.resource(),
							times.leaseTime(), this.provider.name()));
				}
			}
		}
		return null;
	}

	/**
	 * Make one attempt. The lease is renewed from before it is asked for, so that none is
	 * ever held and not renewed.
	 */
	private LeaseAttempt attempt(LeaseHold hold, LeaseRequest request) {
		this.renewer.arm(hold);
		boolean granted = false;
		try {
			LeaseAttempt attempt = this.provider.acquire(request);
			if (attempt instanceof LeaseAttempt.Granted grant) {
				hold.granted(grant.lease());
				granted = true;
			}
			return attempt;
		}
		finally {
			if (!granted) {
				this.renewer.disarm(hold);
			}
		}
	}

	/**
	 * Give a lease back.
	 * @param hold the lease; never null
	 * @param release whether to tell the provider; otherwise the lease runs out by itself
	 */
	public void end(LeaseHold hold, boolean release) {
		Duration blockedFor = hold.blockedFor();
		// What is not released runs out, unless that would end the shortest hold too soon
		end(hold, release || blockedFor.compareTo(hold.remaining()) > 0, blockedFor);
	}

	/**
	 * Let a lease last for a time from now on, and not be renewed after that.
	 * @param hold the lease; never null
	 * @param leaseTime how long it is to last; never null
	 * @param minHold for how long from now on nobody else gets it, also when it is ended
	 * sooner; never null
	 * @return whether it was still this acquisition's, and lasts
	 * @throws LeaseProviderException if that is not known
	 */
	public boolean extend(LeaseHold hold, Duration leaseTime, Duration minHold) {
		return !hold.isLost() && this.renewer.extend(hold, leaseTime, minHold);
	}

	/**
	 * Give a lease back under which nothing has run.
	 * @param hold the lease; never null
	 */
	public void giveUp(LeaseHold hold) {
		end(hold, true, Duration.ZERO);
	}

	private void end(LeaseHold hold, boolean release, Duration blockedFor) {
		this.renewer.disarm(hold);
		this.held.remove(hold);
		// Who still has the context, in another thread, is told that it is over
		hold.lost();
		try {
			if (release) {
				releaseQuietly(hold, blockedFor);
			}
		}
		finally {
			this.held.end();
		}
	}

	/**
	 * Note that the leases of an acquisition have been ended by somebody else, and have
	 * its owner told: sooner than the next renewal would. Does nothing if it is not held
	 * here.
	 * @param nonce the random id of the acquisition; never null
	 */
	public void lost(String nonce) {
		for (LeaseHold hold : this.held.of(nonce)) {
			hold.lost();
			this.renewer.tellLoss(hold);
		}
	}

	/**
	 * Return how many resources somebody wants right now and does not have yet.
	 * @return the number of resources
	 */
	public int awaited() {
		return this.lines.size();
	}

	/**
	 * List the calls that wait for a lease, those that wait longest first.
	 * @return the calls; never null
	 */
	public List<WaitingCall> waiting() {
		return this.lines.calls();
	}

	private void releaseQuietly(LeaseHold hold, Duration blockedFor) {
		Lease lease = hold.lease();
		// An interrupted owner gives its lease back as any other
		boolean interrupted = Thread.interrupted();
		try {
			if (!this.provider.release(lease, blockedFor)) {
				logger.debug("Lease on %s was over before it was released".formatted(lease.resources()));
			}
		}
		catch (RuntimeException ex) {
			// The work is done, its result stands: the lease ends when its time is over
			logger.debug("Lease on %s could not be released and runs out".formatted(lease.resources()), ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static LeaseUnavailableException interrupted(LockRequest request, InterruptedException cause) {
		return new LeaseUnavailableException("Interrupted while waiting for '%s'".formatted(request.resource()), cause);
	}

}
