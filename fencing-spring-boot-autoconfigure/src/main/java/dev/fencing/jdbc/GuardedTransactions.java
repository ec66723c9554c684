package dev.fencing.jdbc;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.UnguardableStatementException;
import dev.fencing.transaction.FencedTransactionListener;
import dev.fencing.transaction.OpenTransaction;
import dev.fencing.transaction.OpenTransactions;

/**
 * Runs the statements of the helpers in the guarded transaction that is live on the
 * current thread, or in one of their own.
 */
final class GuardedTransactions {

	private final FencedDataSource dataSource;

	private final TransactionTemplate own;

	GuardedTransactions(FencedDataSource dataSource, FencedConnections connections) {
		this.dataSource = dataSource;
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource.plain());
		FencedTransactionListener.addTo(manager, () -> connections);
		this.own = new TransactionTemplate(manager);
	}

	/**
	 * Run statements.
	 * @throws UnguardableStatementException if a transaction is active in which nothing
	 * would be guarded any more, or never was
	 */
	<T extends @Nullable Object> T execute(Function<JdbcOperations, T> work) {
		OpenTransaction open = OpenTransactions.bound();
		if (open == null) {
			if (TransactionSynchronizationManager.isActualTransactionActive()) {
				throw new UnguardableStatementException("""
						The active transaction is not guarded: its transaction manager is not on the fenced database, \
						or is none that can be listened to. Nothing was sent""");
			}
			return this.own.execute((status) -> work.apply(this.dataSource.templateFor(this.dataSource.plain())));
		}
		if (!open.isLive()) {
			throw new UnguardableStatementException("""
					The transaction is past its guard, as in an after-commit callback: a write would join it and be \
					guarded by nothing. Run it in a transaction of its own (REQUIRES_NEW). Nothing was sent""");
		}
		if (!(open.connection() instanceof FencedConnections.GuardedConnection connection)) {
			throw new UnguardableStatementException("The active transaction has no connection to the fenced database");
		}
		return work.apply(connection.template());
	}

}
