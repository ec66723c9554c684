package dev.fencing.test;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.Assert;

import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.Rejection;

/**
 * Tells the run that is going on, if there is one, what happens in the application.
 */
final class CurrentRun implements FencingListener, TransactionExecutionListener {

	private final AtomicReference<@Nullable StaleOwnerRun> current = new AtomicReference<>();

	void begin(StaleOwnerRun run) {
		Assert.state(this.current.compareAndSet(null, run), "Another run is going on: one at a time");
	}

	void end() {
		this.current.set(null);
	}

	@Nullable StaleOwnerRun get() {
		return this.current.get();
	}

	@Override
	public void leaseAcquired(FencingContext context) {
		StaleOwnerRun run = get();
		if (run != null) {
			run.leaseAcquired(context);
		}
	}

	@Override
	public void rejected(Rejection rejection) {
		StaleOwnerRun run = get();
		if (run != null) {
			run.rejected(rejection);
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		StaleOwnerRun run = get();
		if (run != null && !transaction.isNested()) {
			run.beforeCommit();
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
		afterCompletion(transaction);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
		afterCompletion(transaction);
	}

	private void afterCompletion(TransactionExecution transaction) {
		StaleOwnerRun run = get();
		if (run != null && !transaction.isNested()) {
			run.afterCompletion();
		}
	}

}
