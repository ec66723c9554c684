package dev.fencing.interceptor;

import java.util.List;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Writes down what happens to transactions, among the other events.
 */
@SuppressWarnings("serial")
class RecordingTransactionManager extends AbstractPlatformTransactionManager {

	private final transient List<String> events;

	RecordingTransactionManager(List<String> events) {
		this.events = events;
	}

	@Override
	protected Object doGetTransaction() {
		return new Object();
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		this.events.add("begin");
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
		this.events.add("commit");
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
		this.events.add("rollback");
	}

}
