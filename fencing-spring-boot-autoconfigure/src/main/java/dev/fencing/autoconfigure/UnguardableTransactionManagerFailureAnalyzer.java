package dev.fencing.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.fencing.transaction.UnguardableTransactionManagerException;

/**
 * Says which transaction manager cannot be guarded, and what to do.
 */
final class UnguardableTransactionManagerFailureAnalyzer
		extends AbstractFailureAnalyzer<UnguardableTransactionManagerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardableTransactionManagerException cause) {
		return new FailureAnalysis(
				"Transactions of the transaction manager '%s' cannot be guarded: %s.".formatted(cause.getBeanName(),
						cause.getReason()),
				"Use a transaction manager for one database, such as JdbcTransactionManager or JpaTransactionManager.",
				cause);
	}

}
