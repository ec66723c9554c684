package dev.fencing.transaction;

import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionException;

import dev.fencing.FencingException;

/**
 * How a commit ended.
 */
enum CommitOutcome {

	/**
	 * It is in the database.
	 */
	COMMITTED,

	/**
	 * The database itself has refused, or was not asked.
	 */
	REFUSED,

	/**
	 * The transaction manager has rolled back, which proves nothing by itself: it may
	 * have done so after a commit whose answer was lost.
	 */
	FAILED,

	/**
	 * It may be in the database, now or in a moment.
	 */
	UNKNOWN,

	/**
	 * It is in the database, or never will be.
	 */
	SETTLED;

	/**
	 * SQL state of a database that does not know itself whether it has committed.
	 */
	private static final String COMPLETION_UNKNOWN = "40003";

	/**
	 * Tell the outcome from what the commit itself has thrown.
	 * @param failure the failure; null if there was none
	 */
	static CommitOutcome of(@Nullable Throwable failure) {
		if (failure == null) {
			return COMMITTED;
		}
		// JDBC says by an SQLException that a commit has failed: without one, something
		// before it did, as a validation during the flush
		return (isRefusal(failure) || find(SQLException.class, failure) == null) ? REFUSED : UNKNOWN;
	}

	/**
	 * Return whether a failure says, on behalf of the database, that nothing was
	 * committed. Our own exceptions say nothing about a commit.
	 */
	static boolean isRefusal(Throwable failure) {
		if (find(FencingException.class, failure) != null) {
			return false;
		}
		SQLException sqlException = find(SQLException.class, failure);
		String state = (sqlException != null) ? sqlException.getSQLState() : null;
		if (COMPLETION_UNKNOWN.equals(state)) {
			return false;
		}
		// Class 23 is a violated constraint, class 40 a transaction that was rolled back
		return (state != null && (state.startsWith("23") || state.startsWith("40")))
				|| find(DataIntegrityViolationException.class, failure) != null
				|| find(ConcurrencyFailureException.class, failure) != null;
	}

	/**
	 * Return whether a failure comes from the database or the connection to it. Our own
	 * exceptions do not, although they are of Spring's type for that.
	 */
	static boolean isFromDatabase(Throwable failure) {
		if (find(FencingException.class, failure) != null) {
			return false;
		}
		return find(SQLException.class, failure) != null || find(DataAccessException.class, failure) != null
				|| find(TransactionException.class, failure) != null;
	}

	private static <T> @Nullable T find(Class<T> type, Throwable failure) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		// Causes may go round in circles
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return type.cast(cause);
			}
		}
		return null;
	}

}
