package dev.fencing.transaction;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;

/**
 * A transaction's connection to the fenced database. Two objects are equal if they stand
 * for the same connection of the same transaction.
 *
 * @since 0.1.0
 */
public interface TransactionConnection {

	/**
	 * Return whether the connection is bound to the current thread now: it is not while
	 * its transaction is suspended.
	 * @return whether it is bound
	 */
	boolean isBound();

	/**
	 * Return whether the database itself refuses writes in this transaction. To be asked
	 * of transactions only that were opened as read-only.
	 * @return whether nothing can be written
	 */
	boolean isReadOnlyEnforced();

	/**
	 * Return whether the transaction's isolation is above READ COMMITTED, as the
	 * connection says it.
	 * @return whether it may read what is older than what is committed meanwhile
	 */
	boolean isAboveReadCommitted();

	/**
	 * Check under the lock of the registry's row, which is held to the end of the
	 * transaction, that an acquisition is still the registered owner.
	 * @param acquisition the acquisition; never null
	 * @return false if the database refused to lock in this transaction, since nothing
	 * can be written in it
	 * @throws StaleGenerationException if it is not
	 * @throws UnguardableStatementException if the lock would not last to the end of the
	 * transaction
	 */
	boolean guard(Acquisition acquisition);

}
