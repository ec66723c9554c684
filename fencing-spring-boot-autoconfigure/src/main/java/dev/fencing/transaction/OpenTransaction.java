package dev.fencing.transaction;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;

/**
 * A transaction on the fenced database, from its begin to its completion.
 *
 * @since 0.1.0
 */
public final class OpenTransaction {

	private static final Log logger = LogFactory.getLog(OpenTransaction.class);

	private final TransactionExecution execution;

	private final @Nullable TransactionConnection connection;

	private final @Nullable RuntimeException beginFailure;

	private final List<Acquisition> guarded = new ArrayList<>();

	private final Set<KeptLease> kept = new LinkedHashSet<>();

	private final Set<Acquisition> locked = new LinkedHashSet<>();

	private boolean completing;

	private boolean rolledBack;

	private boolean commitFailed;

	private boolean ended;

	private @Nullable RuntimeException refusal;

	OpenTransaction(TransactionExecution execution, @Nullable TransactionConnection connection) {
		this(execution, connection, null);
	}

	/**
	 * A transaction of which nobody could tell, when it began, which database it is on.
	 */
	static OpenTransaction undetermined(TransactionExecution execution, RuntimeException beginFailure) {
		return new OpenTransaction(execution, null, beginFailure);
	}

	private OpenTransaction(TransactionExecution execution, @Nullable TransactionConnection connection,
			@Nullable RuntimeException beginFailure) {
		this.execution = execution;
		this.connection = connection;
		this.beginFailure = beginFailure;
	}

	/**
	 * Return the connection.
	 * @return the connection, or null if the transaction manager does not expose it
	 */
	public @Nullable TransactionConnection connection() {
		return this.connection;
	}

	/**
	 * Return why the connection could not be found.
	 */
	@Nullable RuntimeException beginFailure() {
		return this.beginFailure;
	}

	/**
	 * Return whether statements of this transaction come before its guard.
	 * @return whether the guard is still to come
	 */
	public boolean isLive() {
		return !this.completing;
	}

	/**
	 * Note that this transaction locks the registry's row of an acquisition, to its end.
	 * @param acquisition the acquisition; never null
	 */
	public void locks(Acquisition acquisition) {
		this.locked.add(acquisition);
	}

	/**
	 * Note that it holds no lock any more.
	 */
	void unlocks() {
		this.locked.clear();
	}

	boolean hasLocked(Acquisition acquisition) {
		return this.locked.contains(acquisition);
	}

	/**
	 * Note that a statement was refused that may have written other rows: the transaction
	 * must not commit them, also if the application goes on after the exception.
	 * @param refusal what was thrown; never null
	 */
	public void refuse(RuntimeException refusal) {
		this.refusal = refusal;
	}

	/**
	 * Return why the transaction must not commit, whoever is the owner.
	 */
	@Nullable RuntimeException refusal() {
		return this.refusal;
	}

	boolean isBound() {
		return this.connection != null && this.connection.isBound();
	}

	/**
	 * Return whether what it reads may be older than what is committed meanwhile.
	 */
	boolean isAboveReadCommitted() {
		return this.connection != null && this.connection.isAboveReadCommitted();
	}

	TransactionExecution execution() {
		return this.execution;
	}

	boolean isCompleted() {
		return this.execution.isCompleted();
	}

	boolean isOf(TransactionExecution execution) {
		return this.execution == execution;
	}

	/**
	 * Tell the acquisitions under which the transaction begins.
	 */
	void begin() {
		acquisitions().forEach(Acquisition::transactionBegins);
	}

	/**
	 * Take over a lease whose code has returned while this transaction is open: its owner
	 * is guarded here as well, and it is ended afterwards.
	 * @param lease the lease
	 * @return whether it was not taken over before, and will be ended
	 */
	boolean keep(KeptLease lease) {
		return !this.ended && this.kept.add(lease);
	}

	@Nullable KeptLease keptLease(String resource) {
		for (KeptLease lease : this.kept) {
			if (lease.acquisition().resources().contains(resource)) {
				return lease;
			}
		}
		return null;
	}

	/**
	 * Note that only the guard, the commit or the rollback come from now on.
	 * @return the acquisitions under which the transaction is completed
	 */
	Set<Acquisition> complete() {
		this.completing = true;
		return acquisitions();
	}

	private Set<Acquisition> acquisitions() {
		Set<Acquisition> acquisitions = new LinkedHashSet<>();
		for (FencingContext context : FencingContextHolder.all()) {
			acquisitions.add((Acquisition) context);
		}
		acquisitions.addAll(keptAcquisitions());
		return acquisitions;
	}

	List<Acquisition> keptAcquisitions() {
		return this.kept.stream().map(KeptLease::acquisition).toList();
	}

	/**
	 * Note that the commit is the next thing to come.
	 * @param acquisitions the acquisitions that are to be told how it ended
	 */
	void commitFollows(Set<Acquisition> acquisitions) {
		this.guarded.addAll(acquisitions);
	}

	/**
	 * Note that the rollback is the next thing to come.
	 */
	void rollbackFollows() {
		this.completing = true;
		this.rolledBack = true;
	}

	boolean isRolledBack() {
		return this.rolledBack;
	}

	/**
	 * Note that the commit has failed, if it was sent, before callbacks of the
	 * application begin something else.
	 */
	void commitFailed() {
		this.commitFailed = true;
		this.guarded.forEach((acquisition) -> acquisition.commitEnded(CommitOutcome.FAILED));
	}

	/**
	 * Note how this transaction has ended, and end what it has kept. Only the first call
	 * counts.
	 * @param outcome what the transaction manager knows about it
	 */
	void ended(CommitOutcome outcome) {
		if (this.ended) {
			return;
		}
		this.ended = true;
		for (Acquisition acquisition : this.guarded) {
			if (this.commitFailed) {
				acquisition.failedCommitEnded(outcome);
			}
			else {
				acquisition.commitEnded(outcome);
			}
		}
		List<KeptLease> leases = List.copyOf(this.kept);
		this.kept.clear();
		for (KeptLease lease : leases) {
			try {
				lease.completed();
			}
			catch (RuntimeException | Error ex) {
				// The transaction is over, and the others are to be given back as well
				logger.warn("The end of %s failed".formatted(lease.acquisition()), ex);
			}
		}
	}

}
