package dev.fencing.jdbc;

import java.sql.SQLException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;

/**
 * Tells what a failure to store a rejection says about the others. What belongs to
 * neither kind is not known.
 */
final class RejectionFailure {

	private RejectionFailure() {
	}

	/**
	 * Return whether anything else would have failed as well: no connection, no table, no
	 * right, no room, no time.
	 */
	static boolean isOutage(Throwable failure, RejectionSql database) {
		// First of all: to MariaDB's driver, a value that does not fit is bad grammar
		if (isFaultOfAValue(failure)) {
			return false;
		}
		if (NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException cause
				&& database.isNotWritable(cause)) {
			return true;
		}
		return failure instanceof TransientDataAccessException || failure instanceof RecoverableDataAccessException
				|| failure instanceof NonTransientDataAccessResourceException
				|| failure instanceof InvalidDataAccessResourceUsageException || failure instanceof VirtualMachineError;
	}

	/**
	 * Return whether the SQL state says that a value cannot be stored (22), or must not
	 * be (23).
	 */
	static boolean isFaultOfAValue(Throwable failure) {
		return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException cause
				&& cause.getSQLState() != null
				&& (cause.getSQLState().startsWith("22") || cause.getSQLState().startsWith("23"));
	}

}
