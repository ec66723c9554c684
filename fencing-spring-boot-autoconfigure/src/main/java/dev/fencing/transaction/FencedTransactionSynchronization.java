package dev.fencing.transaction;

import java.lang.reflect.Method;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.util.Assert;
import org.springframework.util.ReflectionUtils;

/**
 * Called before all other synchronizations of a transaction. It notes that the commit is
 * over, of which the listener is told only after them, and rolls back what a transaction
 * manager leaves open.
 *
 * <p>
 * A callback or listener that throws a
 * {@link org.springframework.transaction.TransactionException} before the commit (usually
 * that of an inner transaction) is taken for the failure of the commit itself: nothing is
 * sent, and the connection is set back to auto-commit, which commits what was written,
 * past the guard; with JPA it is never given back. After a commit that has failed, or a
 * rollback, one more changes nothing.
 */
final class FencedTransactionSynchronization implements TransactionSynchronization {

	private static final Log logger = LogFactory.getLog(FencedTransactionSynchronization.class);

	private final OpenTransaction transaction;

	private final TransactionManager manager;

	FencedTransactionSynchronization(OpenTransaction transaction, TransactionManager manager) {
		this.transaction = transaction;
		this.manager = manager;
	}

	/**
	 * Return the method by which every manager of Spring rolls back. The public one would
	 * call back and clean up, both of which the commit is about to do.
	 */
	static Method rollbackMethod() {
		Method method = ReflectionUtils.findMethod(AbstractPlatformTransactionManager.class, "doRollback",
				DefaultTransactionStatus.class);
		Assert.state(method != null, "No rollback method");
		return method;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void afterCommit() {
		this.transaction.unlocks();
	}

	@Override
	public void afterCompletion(int status) {
		this.transaction.unlocks();
		if (status != STATUS_COMMITTED) {
			this.transaction.commitFailed();
		}
		// Of an unknown status after a rollback began: that has failed, or was never
		// tried,
		// since another listener has failed before it
		if (status == STATUS_COMMITTED || (status == STATUS_ROLLED_BACK && this.transaction.isRolledBack())) {
			return;
		}
		boolean listenerIsTold = !this.transaction.isLive();
		if (!this.transaction.complete().isEmpty()) {
			rollback();
		}
		if (!listenerIsTold) {
			OpenTransactions.remove(this.transaction);
			this.transaction.ended(CommitOutcome.FAILED);
		}
	}

	private void rollback() {
		if (this.manager instanceof AbstractPlatformTransactionManager) {
			Method method = rollbackMethod();
			ReflectionUtils.makeAccessible(method);
			try {
				ReflectionUtils.invokeMethod(method, this.manager, this.transaction.execution());
			}
			catch (RuntimeException ex) {
				logger.debug("A transaction that did not commit could not be rolled back", ex);
			}
		}
	}

}
