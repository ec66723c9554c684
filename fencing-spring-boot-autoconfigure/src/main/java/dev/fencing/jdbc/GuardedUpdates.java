package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.util.Assert;

import dev.fencing.UnguardableStatementException;
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
	 * @return the number of rows, also if it answers with the rows themselves
	 */
	int update(Acquisition acquisition, StatementCall call) {
		return execute(acquisition, call, GuardedUpdates::send);
	}

	/**
	 * Send a statement, and count the rows also if it answers with them.
	 */
	static Sent<Integer> send(JdbcOperations jdbc, GuardedStatement statement, @Nullable Object[] arguments) {
		if (!statement.isReturning()) {
			return Sent.counted(jdbc.update(statement.sql(), arguments));
		}
		Integer rows = jdbc.query(statement.sql(), ResultSets.each((row) -> {
		}), arguments);
		return Sent.counted((rows != null) ? rows : 0);
	}

	/**
	 * Run a statement and keep the keys that the database makes.
	 * @param keyColumnNames the columns of the keys; null to leave that to the driver
	 */
	int update(Acquisition acquisition, StatementCall call, KeyHolder generatedKeys,
			String @Nullable [] keyColumnNames) {
		return execute(acquisition, call, (jdbc, statement, arguments) -> Sent.counted(jdbc.update((connection) -> {
			PreparedStatement prepared = (keyColumnNames != null)
					? connection.prepareStatement(statement.sql(), keyColumnNames)
					: connection.prepareStatement(statement.sql(), Statement.RETURN_GENERATED_KEYS);
			new ArgumentPreparedStatementSetter(arguments).setValues(prepared);
			return prepared;
		}, generatedKeys)));
	}

	/**
	 * Run a statement that answers with rows.
	 */
	<T extends @Nullable Object> T query(Acquisition acquisition, StatementCall call, ResultSetExtractor<T> extractor) {
		return execute(acquisition, call, (jdbc, statement, arguments) -> {
			requireRows(statement);
			return new Sent<>(jdbc.query(statement.sql(), extractor, arguments), Sent.UNKNOWN);
		});
	}

	/**
	 * Run a statement that answers with rows.
	 */
	<T extends @Nullable Object> List<T> query(Acquisition acquisition, StatementCall call, RowMapper<T> mapper) {
		return execute(acquisition, call, (jdbc, statement, arguments) -> {
			requireRows(statement);
			List<T> rows = jdbc.query(statement.sql(), new RowMapperResultSetExtractor<>(mapper), arguments);
			return new Sent<>(rows, rows.size());
		});
	}

	private static void requireRows(GuardedStatement statement) {
		if (!statement.isReturning()) {
			throw StatementRefusal.at(statement.original(), statement.original().length(),
					"it answers with no rows, so that there is nothing to query", "Add RETURNING, or call update.");
		}
	}

	private <T extends @Nullable Object> T execute(Acquisition acquisition, StatementCall call, Sending<T> sending) {
		check(call);
		acquisition.refuseIfTaken();
		return this.transactions.execute((jdbc) -> {
			GuardedStatement statement = statements(jdbc).get(call.statement());
			return execution(jdbc, acquisition).run(statement, call.arguments(), sending);
		});
	}

	/**
	 * Run statements, in batches where they are the same. All of them or none are
	 * written.
	 * @return the number of rows of each
	 */
	int[] batchUpdate(Acquisition acquisition, List<StatementCall> calls) {
		return calls.isEmpty() ? new int[0] : batchUpdate(acquisition, calls, calls.size())[0];
	}

	/**
	 * Run statements, in batches of a size. All of them or none are written.
	 * @return for each batch the number of rows of each statement
	 */
	int[][] batchUpdate(Acquisition acquisition, List<StatementCall> calls, int size) {
		calls.forEach(this::check);
		acquisition.refuseIfTaken();
		return this.transactions.execute((jdbc) -> {
			GuardedStatements known = statements(jdbc);
			List<GuardedStatement> guarded = calls.stream().map((call) -> known.get(call.statement())).toList();
			for (int i = 0; i < calls.size(); i++) {
				guarded.get(i).checkArguments(calls.get(i).arguments());
			}
			GuardedBatch batch = new GuardedBatch(execution(jdbc, acquisition));
			int[][] counts = new int[(calls.size() + size - 1) / size][];
			for (int i = 0; i < counts.length; i++) {
				int from = i * size;
				int to = Math.min(from + size, calls.size());
				counts[i] = batch.run(guarded.subList(from, to), calls.subList(from, to));
			}
			return counts;
		});
	}

	private GuardedExecution execution(JdbcOperations jdbc, Acquisition acquisition) {
		return new GuardedExecution(jdbc, acquisition, this.refusedRows, this.primaryKeys);
	}

	/**
	 * Refuse a statement before a transaction begins.
	 */
	private void check(StatementCall call) {
		GuardedStatements known = this.statements;
		if (known != null) {
			known.get(call.statement()).checkArguments(call.arguments());
		}
	}

	/**
	 * Return the statements.
	 * @throws UnguardableStatementException if there are none for this database
	 */
	private GuardedStatements statements(JdbcOperations jdbc) {
		GuardedStatements known = this.statements;
		if (known == null) {
			known = new GuardedStatements(SqlDialect.of(jdbc), this.tokenColumn);
			this.statements = known;
		}
		return known;
	}

	/**
	 * Sends a guarded statement.
	 */
	interface Sending<T extends @Nullable Object> {

		Sent<T> send(JdbcOperations jdbc, GuardedStatement statement, @Nullable Object[] arguments);

	}

	/**
	 * What came of a statement.
	 *
	 * @param result what the application gets
	 * @param count the number of rows written, or {@link #UNKNOWN}
	 */
	record Sent<T extends @Nullable Object>(T result, int count) {

		static final int UNKNOWN = -1;

		static Sent<Integer> counted(int count) {
			return new Sent<>(count, count);
		}

	}

}
