package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A transaction on a connection that nobody else uses. No transaction manager has a part
 * in it: some of them are guarded, and none may see it.
 */
final class OwnTransaction {

	private OwnTransaction() {
	}

	/**
	 * Do some work in one transaction.
	 * @param connection a connection that commits each statement by itself, as it does
	 * again afterwards; of no use any more if the work cannot be rolled back
	 * @param work the work
	 * @throws SQLException if the connection fails; what becomes of the work is not known
	 * if that was the commit
	 */
	static <T extends @Nullable Object> T run(Connection connection, Supplier<T> work) throws SQLException {
		connection.setAutoCommit(false);
		T result;
		try {
			result = work.get();
			connection.commit();
		}
		catch (SQLException | RuntimeException | Error ex) {
			rollBack(connection, ex);
			throw ex;
		}
		connection.setAutoCommit(true);
		return result;
	}

	private static void rollBack(Connection connection, Throwable failure) {
		try {
			connection.rollback();
			connection.setAutoCommit(true);
		}
		catch (SQLException | RuntimeException ex) {
			abort(connection, failure);
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Whoever switched to automatic commits now would commit what failed.
	 */
	private static void abort(Connection connection, Throwable failure) {
		try {
			connection.abort(Runnable::run);
		}
		catch (SQLException | RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

}
