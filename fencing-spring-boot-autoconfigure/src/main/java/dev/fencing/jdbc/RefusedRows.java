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
import dev.fencing.transaction.Displacement;
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
	 * @param arguments its arguments
	 * @param token its token
	 * @param least the least token that makes a row a refused one
	 * @throws StaleGenerationException if a row has a token that is not less
	 * @throws UnguardableStatementException if a row has no token
	 */
	void check(JdbcOperations jdbc, Acquisition acquisition, GuardedStatement statement, @Nullable Object[] arguments,
			long token, long least) {
		LockingQuery query = statement.refusedRows();
		if (query != null) {
			refuse(() -> {
				BoundSql sql = query.query();
				Optional<Long> refused = find(jdbc, sql.sql(), sql.bind(arguments, token, least), statement);
				if (refused.isPresent()) {
					throw rejection(jdbc, acquisition, refused.get());
				}
			});
		}
	}

	/**
	 * Check that a statement with {@link DuplicateKeyGuard} has left no refused row
	 * behind it.
	 * @param first the first token with which it was sent
	 * @param last the last one
	 * @throws StaleGenerationException if a row has a token that is not less
	 * @throws UnguardableStatementException if a row has no token, or was to be written
	 * twice
	 */
	void checkMarked(JdbcOperations jdbc, Acquisition acquisition, GuardedStatement statement, long first, long last) {
		refuse(() -> {
			String mark = jdbc.queryForObject("select " + DuplicateKeyGuard.REFUSED, String.class);
			if (mark == null) {
				return;
			}
			// The session outlives the transaction, and the token may be given out again
			// to an owner of another resource
			jdbc.execute("set " + DuplicateKeyGuard.REFUSED + " = null");
			int colon = mark.indexOf(':');
			long token = Long.parseLong(mark.substring(0, colon));
			if (token < first || token > last) {
				// of an earlier statement
				return;
			}
			String row = mark.substring(colon + 1);
			if (this.registry != null && row.equals(mark.substring(0, colon))) {
				throw writtenTwice(statement);
			}
			throw row.equals("null") ? missingToken(statement) : rejection(jdbc, acquisition, Long.parseLong(row));
		});
	}

	/**
	 * Refuse a statement that has not written a row which nobody finds.
	 * @throws UnguardableStatementException always
	 */
	void refuseMissing(GuardedStatement statement) {
		refuse(() -> {
			throw new UnguardableStatementException(
					"""
							This upsert has not written all rows that it gives, and its values for the columns of ON CONFLICT do \
							not find the row that it met: they are NULL, change from one reading to the next, or are changed by \
							a trigger. Nobody can tell whether the owner is stale. Bind fixed values.
							%s"""
						.formatted(statement.original()));
		});
	}

	/**
	 * The transaction has written other rows, and is never to commit them.
	 */
	private static void refuse(Runnable check) {
		try {
			check.run();
		}
		catch (FencingException ex) {
			OpenTransaction open = OpenTransactions.bound();
			if (open != null) {
				open.refuse(ex);
			}
			throw ex;
		}
	}

	private StaleGenerationException rejection(JdbcOperations jdbc, Acquisition acquisition, long rowToken) {
		JdbcGenerationRegistry asked = this.registry;
		if (asked == null || FencingTokens.generation(rowToken) == acquisition.generation()) {
			// Nobody can tell; or a late or repeated copy of a statement of this owner
			return acquisition.reject(Rejection.Guard.ROW, Rejection.Reason.STALE, acquisition.resource(), rowToken,
					null);
		}
		OpenTransaction open = OpenTransactions.bound();
		if (open != null) {
			open.locks(acquisition);
		}
		Displacement displacement = acquisition.displacement((resource) -> asked.lockCurrent(jdbc, resource));
		if (displacement == null) {
			return acquisition.reject(Rejection.Guard.ROW, Rejection.Reason.FOREIGN, acquisition.resource(), rowToken,
					null);
		}
		return acquisition.reject(Rejection.Guard.ROW, acquisition.reasonFor(displacement), displacement.resource(),
				rowToken, null);
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

	/**
	 * Nobody else has this token, so the owner is current.
	 */
	private static UnguardableStatementException writtenTwice(GuardedStatement statement) {
		return new UnguardableStatementException("""
				This statement means one row twice, and its second write cannot be told from a repeated copy of the \
				first. Give each row once, or in a statement of its own, as batchUpdate does.
				%s""".formatted(statement.original()));
	}

	private UnguardableStatementException missingToken(GuardedStatement statement) {
		return new UnguardableStatementException("""
				A row that this statement means has no fencing token, so nothing can be compared. Give all rows one: \
				%s
				%s""".formatted(statement.repair(this.tokenColumn), statement.original()));
	}

}
