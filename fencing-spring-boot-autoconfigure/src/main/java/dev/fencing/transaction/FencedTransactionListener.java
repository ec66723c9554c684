package dev.fencing.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.FencingException;
import dev.fencing.UnguardableStatementException;

/**
 * Guards every transaction of one manager, as its last statement before the commit. What
 * is thrown there rolls the transaction back; for JPA the flush comes later, under the
 * lock that the guard has taken.
 *
 * <p>
 * Deliberately not a bean: Spring Boot would attach it a second time to the managers that
 * it configures.
 *
 * @since 0.1.0
 */
public final class FencedTransactionListener implements TransactionExecutionListener {

	private final TransactionManager manager;

	private final Supplier<TransactionConnections> connections;

	private FencedTransactionListener(TransactionManager manager, Supplier<TransactionConnections> connections) {
		this.manager = manager;
		this.connections = connections;
	}

	/**
	 * Add a listener to a manager, as the last one before a commit and the first one
	 * after it: Spring tells no more listeners when one of them has failed.
	 * @param manager the manager; never null
	 * @param connections finds the connections of the fenced database; asked for when the
	 * first transaction begins; never null
	 */
	public static void addTo(ConfigurableTransactionManager manager, Supplier<TransactionConnections> connections) {
		List<TransactionExecutionListener> listeners = new ArrayList<>();
		listeners.add(new Ending());
		listeners.addAll(manager.getTransactionExecutionListeners());
		listeners.add(new FencedTransactionListener(manager, connections));
		manager.setTransactionExecutionListeners(listeners);
	}

	/**
	 * Before a connection is held, since this takes one.
	 */
	@Override
	public void beforeBegin(TransactionExecution transaction) {
		List<FencingContext> bound = FencingContextHolder.all();
		if (bound.isEmpty() || transaction.isNested() || !this.connections.get().manages(this.manager)) {
			return;
		}
		for (FencingContext context : bound) {
			settleCommits((Acquisition) context);
		}
	}

	private static void settleCommits(Acquisition acquisition) {
		try {
			acquisition.settleCommits();
		}
		catch (FencingException | TransactionException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new CannotCreateTransactionException(
					"Nobody can tell whether an earlier commit under the lease on %s is still under way"
						.formatted(acquisition.named()),
					ex);
		}
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure != null || transaction.isNested()) {
			return;
		}
		OpenTransaction open = open(transaction);
		if (open != null) {
			OpenTransactions.add(open);
			open.begin();
			if (TransactionSynchronizationManager.isSynchronizationActive()) {
				TransactionSynchronizationManager
					.registerSynchronization(new FencedTransactionSynchronization(open, this.manager));
			}
		}
	}

	private @Nullable OpenTransaction open(TransactionExecution transaction) {
		try {
			for (TransactionConnection connection : this.connections.get().bound()) {
				if (!OpenTransactions.owns(connection)) {
					return new OpenTransaction(transaction, connection);
				}
			}
			return this.connections.get().manages(this.manager) ? new OpenTransaction(transaction, null) : null;
		}
		catch (RuntimeException ex) {
			// Thrown here it would leave the connection behind, bound to the thread
			return OpenTransaction.undetermined(transaction, ex);
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		OpenTransaction open = OpenTransactions.find(transaction);
		if (open == null) {
			return;
		}
		Set<Acquisition> acquisitions = open.complete();
		RuntimeException refusal = open.refusal();
		if (refusal != null) {
			throw refusal;
		}
		if (acquisitions.isEmpty()) {
			return;
		}
		TransactionConnection connection = connection(open, acquisitions.iterator().next());
		try {
			if (transaction.isReadOnly() && connection.isReadOnlyEnforced()) {
				return;
			}
			for (Acquisition acquisition : acquisitions) {
				refuseToWaitForOneself(open, acquisition);
				open.locks(acquisition);
				if (!guard(connection, acquisition)) {
					open.unlocks();
					return;
				}
			}
		}
		catch (TransactionException ex) {
			throw notGuarded(acquisitions, ex);
		}
		open.commitFollows(acquisitions);
	}

	/**
	 * Spring would take a {@link TransactionException} for the failure of the commit
	 * itself: it would not roll back, and commit with the switch to auto-commit.
	 */
	private static DataAccessException notGuarded(Set<Acquisition> acquisitions, TransactionException failure) {
		QueryTimeoutException translated = new QueryTimeoutException("The guard before the commit could not be asked",
				failure);
		acquisitions.forEach((acquisition) -> acquisition.suspect(translated));
		return translated;
	}

	private TransactionConnection connection(OpenTransaction open, Acquisition acquisition) {
		TransactionConnection connection = open.connection();
		if (connection != null) {
			return connection;
		}
		if (open.beginFailure() != null) {
			throw new UnguardableStatementException("""
					A transaction under the lease on %s cannot be guarded: when it began, nobody could tell which \
					database it is on""".formatted(acquisition.named()), open.beginFailure());
		}
		throw new UnguardableStatementException("""
				A transaction under the lease on %s cannot be guarded: %s does not expose its JDBC connection. \
				Use a transaction manager with a JpaDialect that does, as HibernateJpaDialect"""
			.formatted(acquisition.named(), this.manager.getClass().getName()));
	}

	/**
	 * A transaction inside of another one that has locked the registry's row already
	 * would wait for it without end, and no database sees that the two are of one thread.
	 */
	private static void refuseToWaitForOneself(OpenTransaction open, Acquisition acquisition) {
		OpenTransaction outer = OpenTransactions.otherThatLocked(acquisition, open);
		if (outer == null) {
			return;
		}
		RuntimeException refusal = outer.refusal();
		if (refusal != null) {
			throw refusal;
		}
		throw new UnguardableStatementException("""
				A transaction under the lease on %s cannot be guarded: it is inside of another one of the same thread \
				that is past its own guard, as a callback of JPA that opens a transaction during the flush, or what \
				listens to a rejection. Do its work in the outer transaction, before that is committed, or on another \
				thread; where it only reads, make it read-only (PostgreSQL). Nothing of it was committed"""
			.formatted(acquisition.named()));
	}

	private static boolean guard(TransactionConnection connection, Acquisition acquisition) {
		try {
			boolean guarded = connection.guard(acquisition);
			acquisition.suspect(null);
			return guarded;
		}
		catch (FencingException ex) {
			acquisition.suspect(null);
			throw ex;
		}
		catch (NonTransientDataAccessResourceException ex) {
			// The connection broke: the guard has refused nobody
			throw ex;
		}
		catch (DataAccessException ex) {
			// Not staleness by itself (a serialization failure, a deadlock, a lock
			// timeout): told apart when the transaction has been rolled back
			acquisition.suspect(ex);
			throw ex;
		}
	}

	@Override
	public void beforeRollback(TransactionExecution transaction) {
		OpenTransaction open = OpenTransactions.find(transaction);
		if (open != null) {
			open.rollbackFollows();
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		forget(transaction);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		forget(transaction);
	}

	private static void forget(TransactionExecution transaction) {
		OpenTransaction open = OpenTransactions.find(transaction);
		if (open != null) {
			OpenTransactions.remove(open);
		}
	}

	/**
	 * Gives the leases back that a transaction has kept. The transaction stays known, as
	 * one that is past its guard, for what the other listeners may do.
	 */
	private static final class Ending implements TransactionExecutionListener {

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
			ended(transaction, CommitOutcome.of(commitFailure));
		}

		@Override
		public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
			ended(transaction, CommitOutcome.FAILED);
		}

		private static void ended(TransactionExecution transaction, CommitOutcome outcome) {
			OpenTransaction open = OpenTransactions.find(transaction);
			if (open != null) {
				open.ended(outcome);
			}
		}

	}

}
