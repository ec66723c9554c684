package dev.fencing.benchmark.database;

import java.util.List;

import dev.fencing.FencingContext;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Has the helper guard.
 */
final class HelperWriter implements GuardedWriter {

	private static final String UPDATE = "update account set balance = balance + ? where id = ?";

	private final FencedJdbcTemplate fencedJdbc;

	HelperWriter(FencedJdbcTemplate fencedJdbc) {
		this.fencedJdbc = fencedJdbc;
	}

	@Override
	public int update(FencingContext context, long id) {
		return this.fencedJdbc.update(UPDATE, 1, id);
	}

	@Override
	public int[] batchUpdate(FencingContext context, List<Long> ids) {
		return this.fencedJdbc.batchUpdate(UPDATE, ids.stream().map((id) -> new Object[] { 1, id }).toList());
	}

}
