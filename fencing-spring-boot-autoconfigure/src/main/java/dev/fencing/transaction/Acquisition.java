package dev.fencing.transaction;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencingContext;
import dev.fencing.FencingException;
import dev.fencing.FencingListener;
import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.RenewalCallback;

/**
 * One acquisition of a lease, on one resource or on several, from its registration to its
 * release.
 *
 * @since 0.1.0
 */
public final class Acquisition implements FencingContext, RenewalCallback {

	private final LeaseHold hold;

	private final @Nullable GenerationRegistry registry;

	private final FencingListener listener;

	private final String instance;

	private final AtomicInteger sequence = new AtomicInteger();

	private volatile @Nullable DataAccessException suspect;

	private volatile CommitOutcome lastCommit = CommitOutcome.COMMITTED;

	private volatile @Nullable ForeignToken foreignToken;

	private @Nullable KeptLease keptLease;

	Acquisition(LeaseHold hold, @Nullable GenerationRegistry registry, FencingListener listener, String instance) {
		this.hold = hold;
		this.registry = registry;
		this.listener = listener;
		this.instance = instance;
	}

	LeaseHold hold() {
		return this.hold;
	}

	/**
	 * Note what ends this acquisition. It belongs to the thread that runs under it.
	 */
	void keptBy(KeptLease lease) {
		this.keptLease = lease;
	}

	@Nullable KeptLease keptLease() {
		return this.keptLease;
	}

	@Override
	public String name() {
		return this.hold.lockName();
	}

	@Override
	public String resource() {
		return resources().get(0);
	}

	@Override
	public List<String> resources() {
		return this.hold.lease().resources();
	}

	@Override
	public long generation() {
		return this.hold.lease().generation();
	}

	/**
	 * Return the random id of this acquisition.
	 * @return the nonce; never null
	 */
	public String owner() {
		return this.hold.lease().nonce();
	}

	@Override
	public long nextToken() {
		int next = this.sequence.incrementAndGet();
		if (next >= FencingTokens.PER_GENERATION || next < 0) {
			this.sequence.set(FencingTokens.PER_GENERATION);
			throw new FencingException("""
					The %d fencing tokens of one acquisition of %s are used up: \
					work in portions, each under a lease of its own""".formatted(FencingTokens.PER_GENERATION - 1,
					named()));
		}
		return FencingTokens.of(generation(), next);
	}

	/**
	 * Return what a message calls this acquisition.
	 * @return the resources, each in quotes; never null
	 */
	public String named() {
		return named(resources());
	}

	/**
	 * Return what a message calls resources.
	 * @param resources the resources; never null
	 * @return the resources, each in quotes; never null
	 */
	public static String named(List<String> resources) {
		return "'" + String.join("', '", resources) + "'";
	}

	@Override
	public Duration remaining() {
		return this.hold.remaining();
	}

	@Override
	public boolean isLost() {
		return this.hold.isLost();
	}

	@Override
	public void assertCurrent() {
		GenerationRegistry asked = this.registry;
		if (asked == null) {
			throw new FencingException("""
					Nobody can tell whether the owner of %s is the current one: registration is switched off. \
					Set fencing.jdbc.registration to true""".formatted(named()));
		}
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new FencingException("""
					assertCurrent() was called on %s inside a read-only transaction, where a replica might answer: \
					call it outside""".formatted(named()));
		}
		Displacement displacement = displacement(asked::find);
		if (displacement != null) {
			throw reject(Rejection.Guard.LEASE, displacement, null);
		}
	}

	/**
	 * Refuse to write for an owner of whom the lease provider has told that another one
	 * has the lease. Nothing depends on it, since the database refuses as well: it spares
	 * the work. A lease that is merely over is the database's to judge, and so is one on
	 * several resources: the provider does not say which of them is another one's.
	 * @throws StaleGenerationException if a later owner is known
	 */
	public void refuseIfTaken() {
		long successor = this.hold.successor();
		if (successor > generation() && resources().size() == 1) {
			throw reject(Rejection.Guard.LEASE, Rejection.Reason.STALE, resource(), FencingTokens.of(successor, 0),
					null);
		}
	}

	/**
	 * Find a resource of which this acquisition is not the registered owner.
	 * @param registered reads what is registered for a resource; called for all of them,
	 * in their order, until one is found
	 * @return the first such resource, or null if it is the owner of all
	 */
	public @Nullable Displacement displacement(Function<String, @Nullable RegisteredGeneration> registered) {
		for (String resource : resources()) {
			RegisteredGeneration current = registered.apply(resource);
			if (current == null || !current.owner().equals(owner())) {
				return new Displacement(resource, current);
			}
		}
		return null;
	}

	/**
	 * Tell why an acquisition that is not the registered owner is refused.
	 * @param displacement where it is not; never null
	 * @return stale if a later owner has registered; never null
	 */
	public Rejection.Reason reasonFor(Displacement displacement) {
		RegisteredGeneration current = displacement.current();
		return (current != null && FencingTokens.generation(current.token()) > generation()) ? Rejection.Reason.STALE
				: Rejection.Reason.FOREIGN;
	}

	/**
	 * Count and report a rejection of this acquisition.
	 * @param guard what refused
	 * @param displacement where it is not the registered owner
	 * @param cause what made it known; may be null
	 * @return the exception, to be thrown by the caller; never null
	 */
	public StaleGenerationException reject(Rejection.Guard guard, Displacement displacement,
			@Nullable Throwable cause) {
		RegisteredGeneration current = displacement.current();
		return reject(guard, reasonFor(displacement), displacement.resource(),
				(current != null) ? (Long) current.token() : null, cause);
	}

	/**
	 * Count and report a rejection of this acquisition.
	 * @param guard what refused
	 * @param reason why
	 * @param resource where
	 * @param acceptedToken the token that was found instead; null if none was
	 * @param cause what made it known; may be null
	 * @return the exception, to be thrown by the caller; never null
	 */
	public StaleGenerationException reject(Rejection.Guard guard, Rejection.Reason reason, String resource,
			@Nullable Long acceptedToken, @Nullable Throwable cause) {
		Rejection rejection = rejection(guard, reason, resource, acceptedToken);
		if (reason == Rejection.Reason.FOREIGN && acceptedToken != null) {
			this.foreignToken = new ForeignToken(resource, acceptedToken);
		}
		this.listener.rejected(rejection);
		return new StaleGenerationException(rejection, cause);
	}

	/**
	 * Count and report that the lease provider gave out a number that is not greater than
	 * the registered one.
	 * @param resource for which resource
	 * @param current what is registered
	 * @return what was counted
	 */
	Rejection regressed(String resource, RegisteredGeneration current) {
		Rejection rejection = rejection(Rejection.Guard.REGISTRATION, Rejection.Reason.REGRESSED, resource,
				current.token());
		this.listener.rejected(rejection);
		this.listener.issuerRegressed(rejection);
		return rejection;
	}

	private Rejection rejection(Rejection.Guard guard, Rejection.Reason reason, String resource,
			@Nullable Long acceptedToken) {
		// The registration goes with sequence 0, all else with the token drawn last
		int drawn = (guard == Rejection.Guard.REGISTRATION) ? 0 : Math.max(1, this.sequence.get());
		long rejected = FencingTokens.of(generation(), Math.min(drawn, FencingTokens.PER_GENERATION - 1));
		return new Rejection(Instant.now(), name(), resource, rejected, acceptedToken, guard, reason, owner(),
				this.instance);
	}

	/**
	 * Note that a guard failed in a way that may, or may not, come from a later owner.
	 * @param failure what the guard threw; null if a later guard had an answer
	 */
	void suspect(@Nullable DataAccessException failure) {
		this.suspect = failure;
	}

	@Nullable DataAccessException suspect() {
		return this.suspect;
	}

	/**
	 * Return the token of another lease that was found where only this acquisition's
	 * should be.
	 * @return the token and where it was found, or null
	 */
	@Nullable ForeignToken foreignToken() {
		return this.foreignToken;
	}

	/**
	 * Wait until no commit is under way any more whose outcome nobody knows. This owner
	 * is the registered one still, so that no guard would find out that what it reads now
	 * is older than what it has committed itself.
	 * @throws UnguardableStatementException if a commit stays under way
	 * @throws RuntimeException what the database or the data source throws if it cannot
	 * be asked
	 */
	void settleCommits() {
		if (this.registry == null || !isLastCommitOpen()) {
			return;
		}
		if (!isSettled()) {
			throw new UnguardableStatementException("""
					No transaction can begin under the lease on %s: an earlier commit has failed and may still be \
					under way in the database, so that what is read now may be older than what it writes. Leave the \
					locked code, and run it again""".formatted(named()));
		}
		this.lastCommit = CommitOutcome.SETTLED;
	}

	private boolean isLastCommitOpen() {
		return this.lastCommit == CommitOutcome.FAILED || this.lastCommit == CommitOutcome.UNKNOWN;
	}

	/**
	 * Note more precisely how a commit ended that was noted as failed already. Says
	 * nothing any more if something has come after it.
	 * @param outcome what the transaction manager knows about it
	 */
	void failedCommitEnded(CommitOutcome outcome) {
		if (this.lastCommit == CommitOutcome.FAILED) {
			commitEnded(outcome);
		}
	}

	/**
	 * Note that a transaction begins. What the locked code throws in the end says nothing
	 * about an earlier commit then.
	 */
	void transactionBegins() {
		if (this.lastCommit == CommitOutcome.FAILED) {
			this.lastCommit = CommitOutcome.UNKNOWN;
		}
	}

	/**
	 * Note how a commit ended for which this acquisition was guarded.
	 * @param outcome what the transaction manager knows about it
	 */
	void commitEnded(CommitOutcome outcome) {
		// A guard waits for an earlier commit, which is settled then; without a registry
		// there was none
		if (this.registry != null || this.lastCommit != CommitOutcome.UNKNOWN) {
			this.lastCommit = outcome;
		}
	}

	/**
	 * Return whether the lease may be given back: not while a commit may still be under
	 * way in the database.
	 * @param failure what the locked code threw; null if it returned
	 * @return whether it may be given back
	 */
	boolean mayRelease(@Nullable Throwable failure) {
		return switch (this.lastCommit) {
			case COMMITTED, REFUSED, SETTLED -> true;
			case UNKNOWN -> false;
			case FAILED -> (failure != null && CommitOutcome.isFromDatabase(failure)) ? CommitOutcome.isRefusal(failure)
					: isKnownToBeSettled();
		};
	}

	/**
	 * Return whether the commit that has failed is over. The application has dealt with
	 * the failure itself, so that only the database can tell: the commit holds the lock
	 * of the registry's row until it is.
	 */
	private boolean isSettled() {
		GenerationRegistry asked = this.registry;
		return asked != null && resources().stream().allMatch(asked::isUnlocked);
	}

	private boolean isKnownToBeSettled() {
		try {
			return isSettled();
		}
		catch (RuntimeException ex) {
			// Also what a data source throws that is closed, or that cannot tell where to
			// route
			return false;
		}
	}

	@Override
	public void renewed(double slack) {
		this.listener.leaseRenewed(this, slack);
	}

	@Override
	public void renewalFailed(Throwable failure) {
		this.listener.renewalFailed(this, failure);
	}

	@Override
	public void lost() {
		this.listener.leaseLost(this);
	}

	@Override
	public String toString() {
		return "Acquisition%s, generation %d, owner %s".formatted(resources(), generation(), owner());
	}

	/**
	 * A token that another lease has left.
	 *
	 * @param resource where it was found
	 * @param token the token
	 */
	record ForeignToken(String resource, long token) {
	}

}
