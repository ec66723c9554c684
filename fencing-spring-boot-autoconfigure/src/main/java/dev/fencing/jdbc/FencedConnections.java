package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.Rejection;
import dev.fencing.UnguardableStatementException;
import dev.fencing.transaction.Acquisition;
import dev.fencing.transaction.Displacement;
import dev.fencing.transaction.TransactionConnection;
import dev.fencing.transaction.TransactionConnections;

/**
 * The connections of the fenced database, as the guard needs them.
 *
 * @since 0.1.0
 */
public final class FencedConnections implements TransactionConnections {

	private final FencedDataSource dataSource;

	private final @Nullable JdbcGenerationRegistry registry;

	/**
	 * Create the connections.
	 * @param dataSource the fenced database; never null
	 * @param registry where owners are registered; null if they are not, so that nothing
	 * is asked before a commit
	 */
	public FencedConnections(FencedDataSource dataSource, @Nullable JdbcGenerationRegistry registry) {
		this.dataSource = dataSource;
		this.registry = registry;
	}

	@Override
	public List<TransactionConnection> bound() {
		List<FencedDataSource.BoundConnection> bound = this.dataSource.bound();
		if (bound.isEmpty()) {
			return List.of();
		}
		return bound.stream()
			.<TransactionConnection>map(
					(connection) -> new GuardedConnection(connection, this.dataSource, this.registry))
			.toList();
	}

	@Override
	public boolean manages(TransactionManager manager) {
		return this.dataSource.isManagedBy(manager);
	}

	/**
	 * A transaction's connection.
	 */
	record GuardedConnection(FencedDataSource.BoundConnection bound, FencedDataSource dataSource,
			@Nullable JdbcGenerationRegistry registry) implements TransactionConnection {

		JdbcTemplate template() {
			return this.dataSource.templateFor(this.bound.handle());
		}

		@Override
		public boolean isBound() {
			return TransactionSynchronizationManager.getResource(this.bound.handle()) == this.bound.holder();
		}

		@Override
		public boolean isReadOnlyEnforced() {
			return this.registry == null || this.registry.isReadOnlyEnforced(template());
		}

		@Override
		public boolean isAboveReadCommitted() {
			return ask((connection) -> connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED);
		}

		@Override
		public boolean guard(Acquisition acquisition) {
			JdbcGenerationRegistry asked = this.registry;
			if (asked == null) {
				return true;
			}
			requireTransactional(acquisition);
			JdbcOperations jdbc = template();
			@Nullable Displacement displacement;
			try {
				displacement = acquisition.displacement((resource) -> asked.lockCurrent(jdbc, resource));
			}
			catch (DataAccessException ex) {
				if (asked.isReadOnlyRefusal(ex)) {
					return false;
				}
				throw ex;
			}
			if (displacement != null) {
				throw acquisition.reject(Rejection.Guard.TRANSACTION, displacement, null);
			}
			return true;
		}

		/**
		 * On any other connection the guard would be committed at once, and protect
		 * nothing.
		 */
		private void requireTransactional(Acquisition acquisition) {
			boolean transactional = ask(
					(connection) -> DataSourceUtils.isConnectionTransactional(connection, this.bound.handle())
							&& !connection.getAutoCommit());
			if (!transactional) {
				throw new UnguardableStatementException("""
						The transaction under the lease on %s cannot be guarded: the connection of %s is not the \
						transaction's, or commits each statement on its own""".formatted(acquisition.named(),
						this.bound.handle()));
			}
		}

		private boolean ask(Question question) {
			Connection connection = DataSourceUtils.getConnection(this.bound.handle());
			try {
				return question.ask(connection);
			}
			catch (SQLException ex) {
				throw translate(ex);
			}
			finally {
				DataSourceUtils.releaseConnection(connection, this.bound.handle());
			}
		}

		private RuntimeException translate(SQLException ex) {
			RuntimeException translated = template().getExceptionTranslator().translate("guard", null, ex);
			return (translated != null) ? translated
					: new UnguardableStatementException("The state of the connection is not known", ex);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof GuardedConnection that && this.bound.equals(that.bound);
		}

		@Override
		public int hashCode() {
			return this.bound.hashCode();
		}

	}

	/**
	 * A question to a connection.
	 */
	@FunctionalInterface
	private interface Question {

		boolean ask(Connection connection) throws SQLException;

	}

}
