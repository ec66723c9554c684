package dev.fencing.jdbc;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.FencingException;
import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.transaction.Acquisition;
import dev.fencing.transaction.OpenTransaction;
import dev.fencing.transaction.OpenTransactions;

/**
 * Looks for rows that a statement means but must not write, and says why not.
 */
final class RefusedRows {

	private final @Nullable JdbcGenerationRegistry registry;

	private final String tokenColumn;

	RefusedRows(@Nullable JdbcGenerationRegistry registry, String tokenColumn) {
		this.registry = registry;
		this.tokenColumn = tokenColumn;
	}

	/**
	 * Check that there is no such row.
	 * @param jdbc the connection of the transaction that has written the others
	 * @param acquisition the owner
	 * @param statement the statement
	 * @param arguments the arguments of its query for refused rows
	 * @throws StaleGenerationException if a row has a token that is not less
	 * @throws UnguardableStatementException if a row has no token
	 */
	void check(JdbcOperations jdbc, Acquisition acquisition, GuardedStatement statement, @Nullable Object[] arguments) {
		try {
			findNone(jdbc, acquisition, statement, arguments);
		}
		catch (FencingException ex) {
			OpenTransaction open = OpenTransactions.bound();
			if (open != null) {
				open.refuse(ex);
			}
			throw ex;
		}
	}

	private void findNone(JdbcOperations jdbc, Acquisition acquisition, GuardedStatement statement,
			@Nullable Object[] arguments) {
		LockingQuery query = statement.refusedRows();
		Optional<Long> refused = (query != null) ? find(jdbc, query.sql(), arguments, statement) : Optional.empty();
		if (refused.isPresent()) {
			long token = refused.get();
			throw acquisition.reject(Rejection.Guard.ROW, reason(jdbc, acquisition, token), (Long) token, null);
		}
	}

	private Optional<Long> find(JdbcOperations jdbc, String sql, @Nullable Object[] arguments,
			GuardedStatement statement) {
		Optional<Long> found = jdbc.query(sql, (prepared) -> {
			// One row tells, and no more than that is locked
			prepared.setMaxRows(1);
			new ArgumentPreparedStatementSetter(arguments).setValues(prepared);
		}, (rows) -> {
			if (!rows.next()) {
				return Optional.<Long>empty();
			}
			long token = rows.getLong(1);
			if (rows.wasNull()) {
				throw missingToken(statement);
			}
			return Optional.of(token);
		});
		return (found != null) ? found : Optional.empty();
	}

	private UnguardableStatementException missingToken(GuardedStatement statement) {
		return new UnguardableStatementException("""
				A row that this statement means has no fencing token, so nothing can be compared. Give all rows one: \
				alter table %2$s alter column %1$s set default 0; \
				update %2$s set %1$s = 0 where %1$s is null; \
				alter table %2$s alter column %1$s set not null
				%3$s""".formatted(this.tokenColumn, statement.target().sqlName(), statement.original()));
	}

	private Rejection.Reason reason(JdbcOperations jdbc, Acquisition acquisition, long rowToken) {
		if (FencingTokens.generation(rowToken) == acquisition.generation() || this.registry == null) {
			// A late or repeated copy of a statement of this owner; or nobody can tell
			return Rejection.Reason.STALE;
		}
		OpenTransaction open = OpenTransactions.bound();
		if (open != null) {
			open.locks(acquisition);
		}
		return acquisition.reasonFor(this.registry.lockCurrent(jdbc, acquisition.resource()));
	}

}
