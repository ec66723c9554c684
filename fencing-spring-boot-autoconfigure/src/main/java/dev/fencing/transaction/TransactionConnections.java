package dev.fencing.transaction;

import java.util.List;

import org.springframework.transaction.TransactionManager;

/**
 * Finds the connections of the fenced database.
 *
 * @since 0.1.0
 */
public interface TransactionConnections {

	/**
	 * Return the connections that transactions have bound to the current thread.
	 * @return the connections, few or none; never null
	 */
	List<TransactionConnection> bound();

	/**
	 * Return whether transactions of a manager are known to be on the fenced database.
	 * @param manager the manager; never null
	 * @return whether they are; false also if nobody can tell
	 */
	boolean manages(TransactionManager manager);

}
