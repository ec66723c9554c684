package dev.fencing.benchmark.database;

import java.util.List;

import dev.fencing.FencingContext;

/**
 * Updates accounts under a lease, each with a guard of its row.
 */
interface GuardedWriter {

	/**
	 * Update one.
	 * @return the number of rows
	 */
	int update(FencingContext context, long id);

	/**
	 * Update many, in one batch.
	 * @return the number of rows of each
	 */
	int[] batchUpdate(FencingContext context, List<Long> ids);

}
