package dev.fencing.testsupport;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.LeasedLockTemplate;

/**
 * An owner of a lease that takes one step after the other, each when the test says so, on
 * a thread of its own: for interleavings that are told as a list of steps. What a step
 * throws is thrown by the method that asks for it.
 */
public final class SteppedOwner implements AutoCloseable {

	private static final Runnable LAST = () -> {
	};

	private final FencedStack stack;

	private final LeasedLockTemplate locks;

	private final LockRequest request;

	private final CompletableFuture<FencingContext> begun = new CompletableFuture<>();

	private final CompletableFuture<Void> ended = new CompletableFuture<>();

	private final BlockingQueue<Runnable> steps = new LinkedBlockingQueue<>();

	private @Nullable TransactionStatus transaction;

	private boolean started;

	public SteppedOwner(FencedStack stack, LockRequest request) {
		this.stack = stack;
		// As another process would: those of one process wait for each other's answers
		this.locks = stack.locks(ActiveTransaction.REJECT);
		this.request = request;
	}

	/**
	 * Ask for the lease, and do not wait for the answer.
	 */
	public void asksForLease() {
		this.started = true;
		new Thread(this::own, "owner").start();
	}

	/**
	 * Take the lease, and register if that is switched on.
	 * @return the context of the locked code
	 */
	public FencingContext takesLease() {
		asksForLease();
		return context();
	}

	/**
	 * Return the context of the locked code, as soon as it runs.
	 */
	public FencingContext context() {
		return get(this.begun);
	}

	private void own() {
		try {
			this.locks.executeWithoutResult(this.request, (context) -> {
				this.begun.complete(context);
				for (Runnable step = next(); step != LAST; step = next()) {
					step.run();
				}
			});
			this.ended.complete(null);
		}
		catch (RuntimeException | Error ex) {
			this.begun.completeExceptionally(ex);
			this.ended.completeExceptionally(ex);
		}
	}

	private Runnable next() {
		try {
			return this.steps.take();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Take any step.
	 * @param step the step
	 * @return what it returns
	 */
	public <T extends @Nullable Object> T does(Supplier<T> step) {
		context();
		FutureTask<T> task = new FutureTask<>(step::get);
		this.steps.add(task);
		return get(task);
	}

	public void begins() {
		begins(TransactionDefinition.ISOLATION_DEFAULT);
	}

	public void begins(int isolation) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
		definition.setIsolationLevel(isolation);
		this.transaction = does(() -> this.stack.transactionManager().getTransaction(definition));
	}

	public int reads() {
		return does(() -> this.stack.counter());
	}

	public void writes(int amount) {
		updates("update counter set amount = ?", amount);
	}

	/**
	 * Execute a statement that is to change one row.
	 */
	public void updates(String sql, Object... arguments) {
		int rows = does(() -> this.stack.jdbc().update(sql, arguments));
		if (rows != 1) {
			throw new IllegalStateException(rows + " rows changed by: " + sql);
		}
	}

	public void commits() {
		TransactionStatus completed = completed();
		does(() -> {
			this.stack.transactionManager().commit(completed);
			return null;
		});
	}

	public void rollsBack() {
		TransactionStatus completed = completed();
		does(() -> {
			this.stack.transactionManager().rollback(completed);
			return null;
		});
	}

	private TransactionStatus completed() {
		TransactionStatus completed = this.transaction;
		if (completed == null) {
			throw new IllegalStateException("No transaction has begun");
		}
		this.transaction = null;
		return completed;
	}

	/**
	 * Return from the locked code, which gives the lease back.
	 */
	public void ends() {
		this.steps.add(LAST);
		get(this.ended);
	}

	/**
	 * Leave the locked code by an exception.
	 */
	public void fails(RuntimeException failure) {
		this.steps.add(() -> {
			throw failure;
		});
		awaitEnd();
	}

	/**
	 * End whatever is left of a test that may have failed.
	 */
	@Override
	public void close() {
		if (!this.started) {
			return;
		}
		if (this.transaction != null) {
			rollsBack();
		}
		this.steps.add(LAST);
		awaitEnd();
	}

	private void awaitEnd() {
		get(this.ended.handle((result, failure) -> result));
	}

	private static <T extends @Nullable Object> T get(Future<T> result) {
		try {
			return result.get(10, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
