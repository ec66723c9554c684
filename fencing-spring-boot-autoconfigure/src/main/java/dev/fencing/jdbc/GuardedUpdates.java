package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.Assert;

import dev.fencing.transaction.Acquisition;

/**
 * Guards, sends and judges the statements of the helpers.
 */
final class GuardedUpdates {

	private final GuardedTransactions transactions;

	private final RefusedRows refusedRows;

	private final PrimaryKeys primaryKeys = new PrimaryKeys();

	private final String tokenColumn;

	private volatile @Nullable GuardedStatements statements;

	GuardedUpdates(GuardedTransactions transactions, @Nullable JdbcGenerationRegistry registry, String tokenColumn) {
		Assert.isTrue(tokenColumn.matches("[A-Za-z_][A-Za-z0-9_]*"), () -> """
				'%s' is no name for the token column: it must be made of letters, digits and underscores"""
			.formatted(tokenColumn));
		this.transactions = transactions;
		this.refusedRows = new RefusedRows(registry, tokenColumn);
		this.tokenColumn = tokenColumn;
	}

	/**
	 * Run a statement under an acquisition.
	 */
	int update(Acquisition acquisition, String sql, @Nullable Object[] arguments) {
		GuardedStatements known = this.statements;
		if (known != null) {
			// Refused before a transaction begins
			known.get(sql).checkArguments(arguments);
		}
		return this.transactions.execute((jdbc) -> update(jdbc, acquisition, statements(jdbc).get(sql), arguments));
	}

	private int update(JdbcOperations jdbc, Acquisition acquisition, GuardedStatement statement,
			@Nullable Object[] arguments) {
		statement.checkArguments(arguments);
		long token = acquisition.nextToken();
		LockingQuery refused = statement.refusedRows();
		if (refused == null) {
			return jdbc.update(statement.sql(), statement.bind(arguments, token));
		}
		boolean judgedBefore = refused.hasSubSelect() && !isSingleRow(jdbc, statement, arguments);
		if (judgedBefore) {
			// What the condition means may be another thing once rows have been written
			this.refusedRows.check(jdbc, acquisition, statement, refused.bind(arguments, token));
		}
		int count = jdbc.update(statement.sql(), statement.bind(arguments, token));
		if (judgedBefore || (count == 1 && isSingleRow(jdbc, statement, arguments))) {
			return count;
		}
		// Rows that this very statement has stamped match as well, but were not refused
		long leastRefused = (count == 0) ? token : token + 1;
		this.refusedRows.check(jdbc, acquisition, statement, refused.bind(arguments, leastRefused));
		return count;
	}

	private boolean isSingleRow(JdbcOperations jdbc, GuardedStatement statement, @Nullable Object[] arguments) {
		return this.primaryKeys.isPinned(jdbc, statement, arguments);
	}

	private GuardedStatements statements(JdbcOperations jdbc) {
		GuardedStatements known = this.statements;
		if (known == null) {
			known = new GuardedStatements(SqlDialect.of(jdbc), this.tokenColumn);
			this.statements = known;
		}
		return known;
	}

}
