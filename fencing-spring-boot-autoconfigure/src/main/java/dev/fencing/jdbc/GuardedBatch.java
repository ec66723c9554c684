package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.BatchPreparedStatementSetter;

/**
 * Runs many statements, each with a token of its own.
 *
 * @param execution runs and judges single ones
 */
record GuardedBatch(GuardedExecution execution) {

	/**
	 * Run the statements.
	 * @return the number of rows of each, as the driver gives it
	 */
	int[] run(List<GuardedStatement> statements, List<StatementCall> calls) {
		int[] counts = new int[calls.size()];
		int from = 0;
		while (from < counts.length) {
			int to = from + 1;
			while (to < counts.length && statements.get(to) == statements.get(from)) {
				to++;
			}
			List<@Nullable Object[]> arguments = calls.subList(from, to)
				.stream()
				.map(StatementCall::arguments)
				.toList();
			System.arraycopy(run(statements.get(from), arguments), 0, counts, from, to - from);
			from = to;
		}
		return counts;
	}

	private int[] run(GuardedStatement statement, List<@Nullable Object[]> items) {
		if (items.stream().anyMatch((arguments) -> this.execution.isJudgedBefore(statement, arguments))
				|| statement.isReturning()) {
			return items.stream()
				.mapToInt((arguments) -> this.execution.run(statement, arguments, GuardedUpdates::send))
				.toArray();
		}
		this.execution.checkBackslashes(statement);
		long[] tokens = items.stream().mapToLong((arguments) -> this.execution.token(statement, arguments)).toArray();
		int[] counts = send(statement, items, tokens);
		long least = Arrays.stream(tokens).min().orElseThrow();
		long last = Arrays.stream(tokens).max().orElseThrow();
		if (statement.marksRefusals()) {
			this.execution.checkMarked(statement, least, last);
		}
		for (int i = 0; i < counts.length; i++) {
			// Rows that a later item of the batch has stamped were not refused
			this.execution.check(statement, items.get(i), counts[i], tokens[i], last + 1);
		}
		return counts;
	}

	private int[] send(GuardedStatement statement, List<@Nullable Object[]> items, long[] tokens) {
		List<@Nullable Object[]> bound = IntStream.range(0, tokens.length)
			.<@Nullable Object[]>mapToObj((i) -> statement.bind(items.get(i), tokens[i]))
			.toList();
		return this.execution.jdbc().batchUpdate(statement.sql(), new BatchPreparedStatementSetter() {
			@Override
			public void setValues(PreparedStatement prepared, int i) throws SQLException {
				new ArgumentPreparedStatementSetter(bound.get(i)).setValues(prepared);
			}

			@Override
			public int getBatchSize() {
				return bound.size();
			}
		});
	}

}
