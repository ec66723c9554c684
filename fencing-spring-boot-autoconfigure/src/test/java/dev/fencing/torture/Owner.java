package dev.fencing.torture;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.IssuerRegressedException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;

/**
 * Runs operations, one at a time, as an application does: a lease, a transaction, reads
 * and writes; and stops at every step.
 */
final class Owner {

	private final Instance instance;

	private final LockRequest template;

	private final Stops stops;

	private boolean commitSent;

	private boolean answerLost;

	/**
	 * Create an owner.
	 * @param instance what its leases and transactions come from
	 * @param request the times of its leases
	 * @param stops told where it has come to
	 */
	Owner(Instance instance, LockRequest request, Stops stops) {
		this.instance = instance;
		this.template = request;
		this.stops = stops;
		instance.stack().transactionManager().addListener(new TransactionExecutionListener() {
			@Override
			public void beforeCommit(TransactionExecution transaction) {
				stops.at(Stop.GUARDED);
				Owner.this.commitSent = true;
			}
		});
	}

	Outcome run(Operation operation, Body body) {
		this.commitSent = false;
		this.answerLost = false;
		try {
			if (operation.style() == Operation.Style.NESTED) {
				runNested(operation, body, 0, null);
			}
			else {
				Object[] keys = operation.accounts().toArray();
				LockRequest request = (keys.length == 1) ? this.template.key(keys[0])
						: this.template.keys(operation.accounts());
				locks().executeWithoutResult(request, (context) -> work(operation, body, context));
			}
			return this.answerLost ? Outcome.UNKNOWN : Outcome.ACKNOWLEDGED;
		}
		catch (StaleGenerationException | IssuerRegressedException | Body.RefusedException ex) {
			return Outcome.REFUSED;
		}
		catch (LeaseUnavailableException ex) {
			return this.commitSent ? Outcome.UNKNOWN : Outcome.UNAVAILABLE;
		}
		catch (RuntimeException ex) {
			return this.commitSent ? Outcome.UNKNOWN : Outcome.FAILED;
		}
	}

	private void runNested(Operation operation, Body body, int depth, @Nullable FencingContext context) {
		if (context != null && depth == operation.accounts().size()) {
			work(operation, body, context);
			return;
		}
		locks().executeWithoutResult(this.template.key(operation.accounts().get(depth)),
				(inner) -> runNested(operation, body, depth + 1, inner));
	}

	/**
	 * One who has more to do catches what the commit of a part throws, and goes on.
	 */
	private void work(Operation operation, Body body, FencingContext context) {
		int last = operation.parts() - 1;
		for (int part = 0; part < last; part++) {
			try {
				transact(operation, part, body, context);
			}
			catch (RuntimeException ex) {
				if (!this.commitSent) {
					throw ex;
				}
				this.answerLost = true;
			}
		}
		transact(operation, last, body, context);
	}

	private void transact(Operation operation, int part, Body body, FencingContext context) {
		this.stops.at(Stop.REGISTERED);
		TransactionTemplate transaction = new TransactionTemplate(this.instance.stack().transactionManager());
		transaction.setIsolationLevel(operation.snapshot() ? TransactionDefinition.ISOLATION_REPEATABLE_READ
				: TransactionDefinition.ISOLATION_READ_COMMITTED);
		transaction.executeWithoutResult((status) -> body.run(operation, part, context, this.stops));
		this.stops.at(Stop.COMMITTED);
	}

	private FencedLockTemplate locks() {
		return this.instance.locks();
	}

}
