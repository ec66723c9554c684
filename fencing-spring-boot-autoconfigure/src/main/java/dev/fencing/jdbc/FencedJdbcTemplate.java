package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.BatchPreparedStatementSetter;
import org.springframework.jdbc.core.ColumnMapRowMapper;
import org.springframework.jdbc.core.InterruptibleBatchPreparedStatementSetter;
import org.springframework.jdbc.core.ParameterizedPreparedStatementSetter;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SingleColumnRowMapper;
import org.springframework.jdbc.core.SqlParameterValue;
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
 * is sent; {@code docs/sql.md} lists the forms.
 *
 * <p>
 * The queries are for statements that write rows and return them, as with
 * {@code RETURNING}; one that only reads is refused. What they find wrong with the
 * result, they find after the rows were written: outside a transaction these are then
 * committed.
 *
 * <p>
 * Instances can be used by several threads at once.
 *
 * @since 0.1.0
 */
@SuppressWarnings("overloads") // as in Spring's JdbcTemplate
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
	 * @return the number of rows; 0 if no row matches. If the statement answers with rows
	 * (RETURNING), their number.
	 * @throws StaleGenerationException if a row matches that carries another token than a
	 * lesser one, even if others were written: the transaction is rolled back
	 * @throws NoFencedLeaseException if the current thread has no lease, or has several
	 * and {@link #on(String, Object)} does not say which
	 * @throws UnguardableStatementException if the statement, or the active transaction,
	 * cannot be guarded, or if a row that matches has no token at all
	 * @throws org.springframework.dao.InvalidDataAccessApiUsageException if there are too
	 * many or too few arguments
	 * @throws org.springframework.dao.DataAccessException if the database failed
	 */
	public int update(String sql, @Nullable Object... args) {
		return update(call(sql, args));
	}

	/**
	 * Insert, update or delete rows, as {@link #update(String, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param args the arguments in order; each may be null
	 * @param argTypes the SQL type of each argument, from {@link java.sql.Types}; never
	 * null
	 * @return the number of rows
	 */
	public int update(String sql, @Nullable Object[] args, int[] argTypes) {
		return update(call(sql, typed(args, argTypes)));
	}

	/**
	 * Insert, update or delete rows, as {@link #update(String, Object...)} does. The
	 * setter is called once, on a stand-in that only takes parameters, before anything is
	 * sent. A stream that it sets is read when the statement is sent, and must not stand
	 * in the WHERE.
	 * @param sql the statement, with {@code ?} for each parameter; never null
	 * @param pss sets the parameters, counted from 1 as if the statement were sent as it
	 * is; never null
	 * @return the number of rows
	 */
	public int update(String sql, PreparedStatementSetter pss) {
		Assert.notNull(pss, "The setter must not be null");
		return update(call(sql, RecordedParameters.of(pss::setValues)));
	}

	/**
	 * Insert rows, as {@link #update(String, Object...)} does, and keep the keys that the
	 * database makes.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param args the arguments in order; each may be null
	 * @param generatedKeyHolder gets the keys; never null
	 * @return the number of rows
	 */
	public int update(String sql, @Nullable Object[] args, KeyHolder generatedKeyHolder) {
		return update(call(sql, args), generatedKeyHolder, null);
	}

	/**
	 * Insert rows, as {@link #update(String, Object...)} does, and keep the keys that the
	 * database makes.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param args the arguments in order; each may be null
	 * @param generatedKeyHolder gets the keys; never null
	 * @param keyColumnNames the columns of the keys; null to leave that to the driver
	 * @return the number of rows
	 */
	public int update(String sql, @Nullable Object[] args, KeyHolder generatedKeyHolder,
			String @Nullable [] keyColumnNames) {
		return update(call(sql, args), generatedKeyHolder, keyColumnNames);
	}

	/**
	 * Run several statements without parameters. All of them or none are written.
	 * @param sql the statements; never null
	 * @return the number of rows of each
	 * @see #update(String, Object...)
	 */
	public int[] batchUpdate(String... sql) {
		return batchUpdate(Arrays.stream(sql).map((statement) -> call(statement)).toList());
	}

	/**
	 * Run a statement many times. Each time it has a token of its own; all of them or
	 * none are written.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param batchArgs the arguments for each time; never null
	 * @return the number of rows of each as the driver gives it: it may be
	 * {@link java.sql.Statement#SUCCESS_NO_INFO}, in which case the rows were read again
	 * to see that none was refused
	 * @see #update(String, Object...)
	 */
	public int[] batchUpdate(String sql, List<@Nullable Object[]> batchArgs) {
		return batchUpdate(batchArgs.stream().map((args) -> call(sql, args)).toList());
	}

	/**
	 * Run a statement many times, as {@link #batchUpdate(String, List)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param batchArgs the arguments for each time; never null
	 * @param argTypes the SQL type of each argument, from {@link java.sql.Types}; never
	 * null
	 * @return the number of rows of each as the driver gives it
	 */
	public int[] batchUpdate(String sql, List<@Nullable Object[]> batchArgs, int[] argTypes) {
		return batchUpdate(batchArgs.stream().map((args) -> call(sql, typed(args, argTypes))).toList());
	}

	/**
	 * Run a statement many times, as {@link #batchUpdate(String, List)} does.
	 * @param sql the statement, with {@code ?} for each parameter; never null
	 * @param pss sets the parameters of each time, before anything is sent; never null
	 * @return the number of rows of each as the driver gives it
	 */
	public int[] batchUpdate(String sql, BatchPreparedStatementSetter pss) {
		List<StatementCall> calls = new ArrayList<>();
		for (int i = 0; i < pss.getBatchSize(); i++) {
			int item = i;
			@Nullable Object[] args = RecordedParameters.of((statement) -> pss.setValues(statement, item));
			if (pss instanceof InterruptibleBatchPreparedStatementSetter interruptible
					&& interruptible.isBatchExhausted(i)) {
				break;
			}
			calls.add(call(sql, args));
		}
		return batchUpdate(calls);
	}

	/**
	 * Run a statement many times, as {@link #batchUpdate(String, List)} does.
	 * @param sql the statement, with {@code ?} for each parameter; never null
	 * @param batchArgs what the parameters of each time are taken from; never null
	 * @param batchSize how many are sent to the database at once; greater than 0
	 * @param pss sets the parameters of each time; never null
	 * @param <T> the type of what they are taken from
	 * @return for each batch the number of rows of each time as the driver gives it
	 */
	public <T> int[][] batchUpdate(String sql, Collection<T> batchArgs, int batchSize,
			ParameterizedPreparedStatementSetter<T> pss) {
		Assert.isTrue(batchSize > 0, "The batch size must be greater than 0");
		List<StatementCall> calls = batchArgs.stream()
			.map((item) -> call(sql, RecordedParameters.of((statement) -> pss.setValues(statement, item))))
			.toList();
		return this.updates.batchUpdate(BoundAcquisitions.require(this.resource), calls, batchSize);
	}

	/**
	 * Run a statement that answers with rows (RETURNING).
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param rse reads all rows; never null
	 * @param args the arguments in order; each may be null
	 * @param <T> the type of the result
	 * @return what the extractor returns
	 * @throws StaleGenerationException if a row matches that carries another token than a
	 * lesser one, even if others were written: the transaction is rolled back
	 * @throws NoFencedLeaseException if the current thread has no lease, or has several
	 * and {@link #on(String, Object)} does not say which
	 * @throws UnguardableStatementException if the statement, or the active transaction,
	 * cannot be guarded, or if a row that matches has no token at all
	 * @throws org.springframework.dao.DataAccessException if the database failed
	 */
	public <T extends @Nullable Object> T query(String sql, ResultSetExtractor<T> rse, @Nullable Object... args) {
		return query(call(sql, args), rse);
	}

	/**
	 * Run a statement that answers with rows, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param rch is called for each row; never null
	 * @param args the arguments in order; each may be null
	 */
	public void query(String sql, RowCallbackHandler rch, @Nullable Object... args) {
		query(call(sql, args), ResultSets.each(rch));
	}

	/**
	 * Run a statement that answers with rows, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param rowMapper maps each row; never null
	 * @param args the arguments in order; each may be null
	 * @param <T> the type of a row's result
	 * @return the results; empty if no row was written
	 */
	public <T extends @Nullable Object> List<T> query(String sql, RowMapper<T> rowMapper, @Nullable Object... args) {
		return query(call(sql, args), rowMapper);
	}

	/**
	 * Run a statement that answers with one row, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param rowMapper maps the row; never null
	 * @param args the arguments in order; each may be null
	 * @param <T> the type of the result
	 * @return the result
	 * @throws org.springframework.dao.IncorrectResultSizeDataAccessException if it is not
	 * exactly one row
	 */
	public <T extends @Nullable Object> T queryForObject(String sql, RowMapper<T> rowMapper, @Nullable Object... args) {
		return DataAccessUtils.nullableSingleResult(query(sql, rowMapper, args));
	}

	/**
	 * Run a statement that answers with one row of one column, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param requiredType the type of the value; never null
	 * @param args the arguments in order; each may be null
	 * @param <T> the type of the value
	 * @return the value; null if the database has null there
	 * @throws org.springframework.dao.IncorrectResultSizeDataAccessException if it is not
	 * exactly one row
	 */
	public <T> @Nullable T queryForObject(String sql, Class<T> requiredType, @Nullable Object... args) {
		return DataAccessUtils.nullableSingleResult(queryForList(sql, requiredType, args));
	}

	/**
	 * Run a statement that answers with one row, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param args the arguments in order; each may be null
	 * @return the values by the names of the columns
	 * @throws org.springframework.dao.IncorrectResultSizeDataAccessException if it is not
	 * exactly one row
	 */
	public Map<String, @Nullable Object> queryForMap(String sql, @Nullable Object... args) {
		return DataAccessUtils.requiredSingleResult(queryForList(sql, args));
	}

	/**
	 * Run a statement that answers with rows of one column, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param elementType the type of the values; never null
	 * @param args the arguments in order; each may be null
	 * @param <T> the type of the values
	 * @return the values; empty if no row was written
	 */
	public <T> List<@Nullable T> queryForList(String sql, Class<T> elementType, @Nullable Object... args) {
		return query(sql, new SingleColumnRowMapper<>(elementType), args);
	}

	/**
	 * Run a statement that answers with rows, as
	 * {@link #query(String, ResultSetExtractor, Object...)} does.
	 * @param sql the statement, with {@code ?} for each argument; never null
	 * @param args the arguments in order; each may be null
	 * @return for each row the values by the names of the columns; empty if no row was
	 * written
	 */
	public List<Map<String, @Nullable Object>> queryForList(String sql, @Nullable Object... args) {
		return query(sql, new ColumnMapRowMapper(), args);
	}

	private static StatementCall call(String sql, @Nullable Object... args) {
		Assert.notNull(sql, "The statement must not be null");
		Assert.notNull(args, "The arguments must not be null: write (Object) null for a single one that is");
		return StatementCall.of(sql, args);
	}

	private static @Nullable Object[] typed(@Nullable Object[] args, int[] argTypes) {
		if (args.length != argTypes.length) {
			throw new InvalidDataAccessApiUsageException(
					"There are %d arguments, but %d types. Nothing was sent".formatted(args.length, argTypes.length));
		}
		return IntStream.range(0, args.length).mapToObj((i) -> new SqlParameterValue(argTypes[i], args[i])).toArray();
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
