package dev.fencing.benchmark.database;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.FencingContext;

/**
 * Guards by hand, and looks at the counts.
 */
final class HandWrittenWriter implements GuardedWriter {

	private static final String UPDATE = """
			update account set balance = balance + ?, fencing_token = ? where id = ? and fencing_token < ?""";

	private final JdbcTemplate jdbc;

	HandWrittenWriter(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	public int update(FencingContext context, long id) {
		long token = context.nextToken();
		return written(this.jdbc.update(UPDATE, 1, token, id, token));
	}

	@Override
	public int[] batchUpdate(FencingContext context, List<Long> ids) {
		int[] counts = this.jdbc.batchUpdate(UPDATE, ids.stream().map((id) -> {
			long token = context.nextToken();
			return new Object[] { 1, token, id, token };
		}).toList());
		for (int count : counts) {
			written(count);
		}
		return counts;
	}

	private static int written(int count) {
		if (count != 1) {
			throw new IllegalStateException("A later owner has written the account");
		}
		return count;
	}

}
