package dev.fencing.transaction;

import java.util.List;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;

/**
 * What becomes of a new lease that is asked for inside an open transaction.
 *
 * @since 0.1.0
 */
public enum ActiveTransaction {

	/**
	 * It is refused.
	 */
	REJECT {

		@Override
		void check(LockRequest request) {
			if (isActive() || OpenTransactions.bound() != null) {
				throw new LockInsideTransactionException("""
						A lease on %s was asked for inside an active transaction%s: it would be released before the \
						commit, and what was read already may be older than the lease. Take the lease outside: put \
						@FencedLock on the method that opens the transaction, or on a caller of it. Or set \
						fencing.lock.active-transaction to join, which keeps leases until such a transaction is \
						completed""".formatted(named(request), nameOfTransaction()));
			}
		}

	},

	/**
	 * It is taken, and kept until that transaction is completed, which is refused to a
	 * stale owner.
	 */
	JOIN {

		@Override
		void check(LockRequest request) {
			List<OpenTransaction> bound = OpenTransactions.allBound();
			if (bound.isEmpty() && isActive()) {
				throw new LockInsideTransactionException("""
						A lease on %s was asked for inside an active transaction%s that is not on the fenced \
						database, or whose manager cannot be listened to or shows no JDBC connection: nobody would \
						check the owner at its commit and give the lease back after it. Take the lease outside: put \
						@FencedLock on the method that opens the transaction, or on a caller of it"""
					.formatted(named(request), nameOfTransaction()));
			}
			for (OpenTransaction transaction : bound) {
				check(transaction, request);
			}
		}

		private void check(OpenTransaction transaction, LockRequest request) {
			checkLive(transaction, request);
			if (transaction.isAboveReadCommitted()) {
				throw new LockInsideTransactionException("""
						A lease on %s was asked for inside an active transaction%s whose isolation is above READ \
						COMMITTED: it would go on reading what is older than the lease. Begin that transaction with \
						READ COMMITTED (@Transactional(isolation = Isolation.READ_COMMITTED)), or take the lease \
						outside of it""".formatted(named(request), nameOfTransaction()));
			}
		}

	};

	/**
	 * Check whether a lease may be taken here.
	 * @param request the lease
	 * @throws LockInsideTransactionException if it may not
	 */
	abstract void check(LockRequest request);

	/**
	 * Check whether a lease that an open transaction keeps may be entered again here,
	 * whatever is done with new ones: code that joins a transaction past its guard would
	 * commit what nobody checks.
	 * @param request the lease
	 * @throws LockInsideTransactionException if it may not
	 */
	static void checkKept(LockRequest request) {
		OpenTransactions.allBound().forEach((transaction) -> checkLive(transaction, request));
	}

	private static void checkLive(OpenTransaction transaction, LockRequest request) {
		if (!transaction.isLive()) {
			throw new LockInsideTransactionException("""
					A lease on %s was asked for inside a transaction%s that is past its guard, as in an after-commit \
					callback: what is written there is checked by nobody. Begin a transaction of its own \
					(REQUIRES_NEW) around it""".formatted(named(request), nameOfTransaction()));
		}
	}

	private static String named(LockRequest request) {
		return Acquisition.named(request.resources());
	}

	private static boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive();
	}

	private static String nameOfTransaction() {
		String name = TransactionSynchronizationManager.getCurrentTransactionName();
		return (name != null) ? " (" + name + ")" : "";
	}

}
