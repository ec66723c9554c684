package dev.fencing.transaction;

import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;

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

	/**
	 * Create a listener for a manager.
	 * @param manager the manager; never null
	 * @param connections finds the connections of the fenced database; asked for when the
	 * first transaction begins; never null
	 */
	public FencedTransactionListener(TransactionManager manager, Supplier<TransactionConnections> connections) {
		this.manager = manager;
		this.connections = connections;
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
		if (beginFailure != null || transaction.isNested()) {
			return;
		}
		for (TransactionConnection connection : this.connections.get().bound()) {
			if (!OpenTransactions.owns(connection)) {
				OpenTransactions.add(new OpenTransaction(transaction, connection));
				return;
			}
		}
		if (this.connections.get().manages(this.manager)) {
			OpenTransactions.add(new OpenTransaction(transaction, null));
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		OpenTransaction open = OpenTransactions.find(transaction);
		if (open == null) {
			return;
		}
		Set<Acquisition> acquisitions = open.complete();
		if (acquisitions.isEmpty()) {
			return;
		}
		TransactionConnection connection = open.connection();
		if (connection == null) {
			throw new UnguardableStatementException("""
					A transaction under the lease on '%s' cannot be guarded: %s does not expose its JDBC connection. \
					Use a transaction manager with a JpaDialect that does, as HibernateJpaDialect"""
				.formatted(acquisitions.iterator().next().resource(), this.manager.getClass().getName()));
		}
		if (!transaction.isReadOnly() || !connection.isReadOnlyEnforced()) {
			for (Acquisition acquisition : acquisitions) {
				guard(connection, acquisition);
			}
		}
		open.commitFollows(acquisitions);
	}

	private void guard(TransactionConnection connection, Acquisition acquisition) {
		try {
			connection.guard(acquisition);
		}
		catch (FencingException ex) {
			throw ex;
		}
		catch (ConcurrencyFailureException ex) {
			// Not staleness by itself (a serialization failure, a deadlock): told apart
			// when the transaction has been rolled back
			acquisition.suspect(ex);
			throw ex;
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		ended(transaction, (commitFailure != null) ? null : Boolean.TRUE);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		ended(transaction, Boolean.FALSE);
	}

	private static void ended(TransactionExecution transaction, @Nullable Boolean committed) {
		OpenTransaction open = OpenTransactions.find(transaction);
		if (open != null) {
			OpenTransactions.remove(open);
			open.ended(committed);
		}
	}

}
