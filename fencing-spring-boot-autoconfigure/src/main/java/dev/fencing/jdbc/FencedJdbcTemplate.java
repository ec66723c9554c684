package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.util.Assert;

import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;

/**
 * Writes rows under the lease of the current thread, so that the rows themselves refuse a
 * stale owner: each statement stamps what it writes with a fencing token, and writes only
 * rows that carry a lesser one.
 *
 * <pre class="code">
 * fencedJdbc.update("update document set title = ? where id = ?", title, id);
 * // sends: update document set title = ?, fencing_token = ? where (id = ?) and fencing_token &lt; ?
 * </pre>
 *
 * <p>
 * The tables need a column {@code fencing_token bigint not null default 0}; its name is
 * configurable. A statement runs in the transaction that is active, if that one is
 * guarded, or else in one of its own. What cannot be guarded is refused before anything
 * is sent. Guarded are INSERT with a column list and VALUES, UPDATE and DELETE of a
 * single table, with positional parameters.
 *
 * <p>
 * Instances can be used by several threads at once.
 *
 * @since 0.1.0
 */
public final class FencedJdbcTemplate {

	private final GuardedUpdates updates;

	private final @Nullable String resource;

	/**
	 * Create a template.
	 * @param dataSource the fenced database; never null
	 * @param connections the connections of that database; never null
	 * @param registry where owners are registered, to tell a stale owner from a row of
	 * another lease; null if they are not
	 * @param tokenColumn the name of the token column in all protected tables: letters,
	 * digits and underscores; never null
	 * @throws IllegalArgumentException if the name of the token column is another
	 */
	public FencedJdbcTemplate(FencedDataSource dataSource, FencedConnections connections,
			@Nullable JdbcGenerationRegistry registry, String tokenColumn) {
		this(new GuardedUpdates(new GuardedTransactions(dataSource, connections), registry, tokenColumn), null);
	}

	private FencedJdbcTemplate(GuardedUpdates updates, @Nullable String resource) {
		this.updates = updates;
		this.resource = resource;
	}

	/**
	 * Return this template for one of several leases that the current thread has.
	 * @param name the lock name; never null
	 * @param key the key; null for a lock without a key
	 * @return a template whose statements go with the lease on that resource; never null
	 * @throws IllegalArgumentException if the name or the key is none
	 */
	public FencedJdbcTemplate on(String name, @Nullable Object key) {
		LockRequest request = LockRequest.of(name);
		return new FencedJdbcTemplate(this.updates, ((key != null) ? request.key(key) : request).resource());
	}

	/**
	 * Insert, update or delete rows.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param args the arguments in order; each may be null, or a
	 * {@link org.springframework.jdbc.core.SqlParameterValue} that names its type
	 * @return the number of rows; 0 if no row matches
	 * @throws StaleGenerationException if a row matches that carries another token than a
	 * lesser one, even if others were written: the transaction is to be rolled back
	 * @throws NoFencedLeaseException if the current thread has no lease, or has several
	 * and {@link #on(String, Object)} does not say which
	 * @throws UnguardableStatementException if the statement, or the active transaction,
	 * cannot be guarded, or if a row that matches has no token at all
	 * @throws org.springframework.dao.InvalidDataAccessApiUsageException if there are too
	 * many or too few arguments
	 * @throws org.springframework.dao.DataAccessException if the database failed
	 */
	public int update(String sql, @Nullable Object... args) {
		Assert.notNull(sql, "The statement must not be null");
		Assert.notNull(args, "The arguments must not be null: write (Object) null for a single one that is");
		return update(StatementCall.of(sql, args));
	}

	int update(StatementCall call) {
		return this.updates.update(BoundAcquisitions.require(this.resource), call);
	}

	int update(StatementCall call, KeyHolder generatedKeys, String @Nullable [] keyColumnNames) {
		return this.updates.update(BoundAcquisitions.require(this.resource), call, generatedKeys, keyColumnNames);
	}

	int[] batchUpdate(List<StatementCall> calls) {
		return this.updates.batchUpdate(BoundAcquisitions.require(this.resource), calls);
	}

	<T extends @Nullable Object> T query(StatementCall call, ResultSetExtractor<T> extractor) {
		return this.updates.query(BoundAcquisitions.require(this.resource), call, extractor);
	}

	<T extends @Nullable Object> List<T> query(StatementCall call, RowMapper<T> mapper) {
		return this.updates.query(BoundAcquisitions.require(this.resource), call, mapper);
	}

}
