package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.jdbc.GuardedUpdates.Sending;
import dev.fencing.jdbc.GuardedUpdates.Sent;
import dev.fencing.transaction.Acquisition;

/**
 * Runs guarded statements on the connection of a transaction, and judges what their
 * counts mean.
 *
 * @param jdbc the connection
 * @param acquisition the owner
 * @param refusedRows finds rows that were refused
 * @param primaryKeys tells which statements mean one row at most
 */
record GuardedExecution(JdbcOperations jdbc, Acquisition acquisition, RefusedRows refusedRows,
		PrimaryKeys primaryKeys) {

	<T extends @Nullable Object> T run(GuardedStatement statement, @Nullable Object[] arguments, Sending<T> sending) {
		statement.checkArguments(arguments);
		checkBackslashes(statement);
		long token = token(statement, arguments);
		boolean judgedBefore = isJudgedBefore(statement, arguments);
		if (judgedBefore) {
			// What the condition means may be another thing once rows have been written
			this.refusedRows.check(this.jdbc, this.acquisition, statement, arguments, token, token);
		}
		Sent<T> sent = sending.send(this.jdbc, statement, statement.bind(arguments, token));
		if (statement.marksRefusals()) {
			checkMarked(statement, token, token);
		}
		// What this very statement has stamped matches as well, but was not refused
		long leastRefused = (sent.count() == 0) ? token : token + 1;
		if (judgedBefore && sent.count() != 0) {
			checkNoneIsMissing(statement, sent.count());
		}
		else {
			check(statement, arguments, sent.count(), token, leastRefused);
		}
		return sent.result();
	}

	/**
	 * Check what an upsert that tells of refused rows by itself has left.
	 * @param first the first token with which it was sent
	 * @param last the last one
	 */
	void checkMarked(GuardedStatement statement, long first, long last) {
		this.refusedRows.checkMarked(this.jdbc, this.acquisition, statement, first, last);
	}

	/**
	 * Check that no row was refused.
	 * @param count the number of rows that were written
	 * @param token the token of the statement
	 * @param least the least token that makes a row a refused one
	 */
	void check(GuardedStatement statement, @Nullable Object[] arguments, int count, long token, long least) {
		if (!isWhole(statement, arguments, count)) {
			this.refusedRows.check(this.jdbc, this.acquisition, statement, arguments, token, least);
			checkNoneIsMissing(statement, count);
		}
	}

	/**
	 * Check that no row of an upsert was refused which the values in the statement do not
	 * find again.
	 */
	private void checkNoneIsMissing(GuardedStatement statement, int count) {
		if (statement.writesAllRows() && count >= 0 && count < statement.rows()) {
			this.refusedRows.refuseMissing(statement);
		}
	}

	/**
	 * Return the token of one execution.
	 */
	long token(GuardedStatement statement, @Nullable Object[] arguments) {
		Long own = statement.ownToken(arguments, this.acquisition.generation());
		return (own != null) ? own : this.acquisition.nextToken();
	}

	/**
	 * Return whether refused rows must be looked for before the statement is sent.
	 */
	boolean isJudgedBefore(GuardedStatement statement, @Nullable Object[] arguments) {
		LockingQuery query = statement.refusedRows();
		return query != null && query.readsOtherRows() && !isSingleRow(statement, arguments);
	}

	/**
	 * Return whether the count tells that no row was refused.
	 */
	private boolean isWhole(GuardedStatement statement, @Nullable Object[] arguments, int count) {
		return statement.refusedRows() == null || (count >= 0 && count == statement.rows())
				|| (count == 1 && isSingleRow(statement, arguments));
	}

	private boolean isSingleRow(GuardedStatement statement, @Nullable Object[] arguments) {
		return this.primaryKeys.isPinned(this.jdbc, statement, arguments);
	}

	/**
	 * The mode may change with every session.
	 */
	void checkBackslashes(GuardedStatement statement) {
		if (!statement.backslashMatters()) {
			return;
		}
		String mode = this.jdbc.queryForObject("select @@session.sql_mode", String.class);
		if (mode == null || mode.contains("NO_BACKSLASH_ESCAPES")) {
			throw StatementRefusal.at(statement.original(), statement.original().indexOf('\\'),
					"with the mode NO_BACKSLASH_ESCAPES, a literal ends elsewhere",
					"Bind the literal to a placeholder.");
		}
	}

}
