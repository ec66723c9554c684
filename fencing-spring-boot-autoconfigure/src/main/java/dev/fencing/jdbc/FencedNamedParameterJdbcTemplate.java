package dev.fencing.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.ColumnMapRowMapper;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SingleColumnRowMapper;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSourceUtils;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.util.Assert;

import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;

/**
 * The {@link FencedJdbcTemplate} for statements with named parameters. It reads like
 * Spring's {@code NamedParameterJdbcTemplate}, and parameters mean what they mean there:
 * a value that is a list becomes as many placeholders, as in {@code id in (:ids)}.
 *
 * <pre class="code">
 * fencedNamedJdbc.update("update document set title = :title where id = :id", Map.of("title", title, "id", id));
 * </pre>
 *
 * <p>
 * The name {@code fencingToken} is reserved. A statement that has its own guard writes
 * {@code :fencingToken} where the token belongs, and the caller gives no value for it.
 *
 * <p>
 * The queries are for statements that write rows and return them, as with
 * {@code RETURNING}; one that only reads is refused. What they find wrong with the
 * result, they find after the rows were written: outside a transaction these are then
 * committed.
 *
 * <p>
 * All methods that send a statement throw
 * <ul>
 * <li>{@link StaleGenerationException} if a row matches that carries another token than a
 * lesser one, even if others were written: the transaction is to be rolled back
 * <li>{@link NoFencedLeaseException} if the current thread has no lease, or has several
 * and {@link #on(String, Object)} does not say which
 * <li>{@link UnguardableStatementException} if the statement, or the active transaction,
 * cannot be guarded, or if a row that matches has no token at all
 * <li>{@link InvalidDataAccessApiUsageException} if a parameter has no value, if
 * {@code fencingToken} is given one, or if the statement has {@code ?} besides names
 * <li>{@link DataAccessException} if the database failed.
 * </ul>
 *
 * <p>
 * Parameters are never changed. Instances can be used by several threads at once.
 *
 * @since 0.1.0
 */
// The callbacks are told apart as they are with Spring's
@SuppressWarnings("overloads")
public final class FencedNamedParameterJdbcTemplate {

	private final FencedJdbcTemplate fencedJdbc;

	private final NamedStatements statements;

	/**
	 * Create a template.
	 * @param fencedJdbc what guards and sends the statements; never null
	 */
	public FencedNamedParameterJdbcTemplate(FencedJdbcTemplate fencedJdbc) {
		this(fencedJdbc, new NamedStatements());
	}

	private FencedNamedParameterJdbcTemplate(FencedJdbcTemplate fencedJdbc, NamedStatements statements) {
		Assert.notNull(fencedJdbc, "The FencedJdbcTemplate must not be null");
		this.fencedJdbc = fencedJdbc;
		this.statements = statements;
	}

	/**
	 * Return this template for one of several leases that the current thread has.
	 * @param name the lock name; never null
	 * @param key the key; null for a lock without a key
	 * @return a template whose statements go with the lease on that resource; never null
	 * @throws IllegalArgumentException if the name or the key is none
	 */
	public FencedNamedParameterJdbcTemplate on(String name, @Nullable Object key) {
		return new FencedNamedParameterJdbcTemplate(this.fencedJdbc.on(name, key), this.statements);
	}

	/**
	 * Insert, update or delete rows.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @return the number of rows; 0 if no row matches
	 */
	public int update(String sql, SqlParameterSource paramSource) {
		return this.fencedJdbc.update(call(sql, paramSource));
	}

	/**
	 * Insert, update or delete rows.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @return the number of rows; 0 if no row matches
	 */
	public int update(String sql, Map<String, ?> paramMap) {
		return update(sql, source(paramMap));
	}

	/**
	 * Insert, update or delete rows, and return the keys that the database generated.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param generatedKeyHolder takes the keys that the database generated; never null
	 * @return the number of rows; 0 if no row matches
	 */
	public int update(String sql, SqlParameterSource paramSource, KeyHolder generatedKeyHolder) {
		return update(sql, paramSource, generatedKeyHolder, null);
	}

	/**
	 * Insert, update or delete rows, and return the keys that the database generated.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param generatedKeyHolder takes the keys that the database generated; never null
	 * @param keyColumnNames the columns that are generated; null to leave it to the
	 * driver
	 * @return the number of rows; 0 if no row matches
	 */
	public int update(String sql, SqlParameterSource paramSource, KeyHolder generatedKeyHolder,
			String @Nullable [] keyColumnNames) {
		Assert.notNull(generatedKeyHolder, "The key holder must not be null");
		return this.fencedJdbc.update(call(sql, paramSource), generatedKeyHolder, keyColumnNames);
	}

	/**
	 * Execute a statement once for each set of values, in one transaction: all or none.
	 * Each execution has a token of its own, and lists may differ in length.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param batchArgs the sets of values; never null, nor is one of them
	 * @return the number of rows of each execution, in order; never null
	 */
	public int[] batchUpdate(String sql, SqlParameterSource[] batchArgs) {
		Assert.notNull(batchArgs, "The sets of values must not be null");
		return this.fencedJdbc.batchUpdate(Arrays.stream(batchArgs).map((source) -> call(sql, source)).toList());
	}

	/**
	 * Execute a statement once for each set of values, in one transaction: all or none.
	 * Each execution has a token of its own, and lists may differ in length.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param batchValues the sets of values by their names; never null, nor is one of
	 * them
	 * @return the number of rows of each execution, in order; never null
	 */
	public int[] batchUpdate(String sql, Map<String, ?>[] batchValues) {
		Assert.notNull(batchValues, "The sets of values must not be null");
		return batchUpdate(sql, SqlParameterSourceUtils.createBatch(batchValues));
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of result
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param rse reads all rows; never null
	 * @return what it made of them; null if it returns null
	 */
	public <T extends @Nullable Object> T query(String sql, SqlParameterSource paramSource, ResultSetExtractor<T> rse) {
		Assert.notNull(rse, "The extractor must not be null");
		return this.fencedJdbc.query(call(sql, paramSource), rse);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of result
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @param rse reads all rows; never null
	 * @return what it made of them; null if it returns null
	 */
	public <T extends @Nullable Object> T query(String sql, Map<String, ?> paramMap, ResultSetExtractor<T> rse) {
		return query(sql, source(paramMap), rse);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of result
	 * @param sql the statement, without parameters; never null
	 * @param rse reads all rows; never null
	 * @return what it made of them; null if it returns null
	 */
	public <T extends @Nullable Object> T query(String sql, ResultSetExtractor<T> rse) {
		return query(sql, EmptySqlParameterSource.INSTANCE, rse);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param rch is given each row; never null
	 */
	public void query(String sql, SqlParameterSource paramSource, RowCallbackHandler rch) {
		Assert.notNull(rch, "The handler must not be null");
		this.fencedJdbc.query(call(sql, paramSource), ResultSets.each(rch));
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @param rch is given each row; never null
	 */
	public void query(String sql, Map<String, ?> paramMap, RowCallbackHandler rch) {
		query(sql, source(paramMap), rch);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param sql the statement, without parameters; never null
	 * @param rch is given each row; never null
	 */
	public void query(String sql, RowCallbackHandler rch) {
		query(sql, EmptySqlParameterSource.INSTANCE, rch);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of objects
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param rowMapper makes an object of each row; never null
	 * @return these objects in order; never null
	 */
	public <T extends @Nullable Object> List<T> query(String sql, SqlParameterSource paramSource,
			RowMapper<T> rowMapper) {
		Assert.notNull(rowMapper, "The mapper must not be null");
		return this.fencedJdbc.query(call(sql, paramSource), rowMapper);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of objects
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @param rowMapper makes an object of each row; never null
	 * @return these objects in order; never null
	 */
	public <T extends @Nullable Object> List<T> query(String sql, Map<String, ?> paramMap, RowMapper<T> rowMapper) {
		return query(sql, source(paramMap), rowMapper);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of objects
	 * @param sql the statement, without parameters; never null
	 * @param rowMapper makes an object of each row; never null
	 * @return these objects in order; never null
	 */
	public <T extends @Nullable Object> List<T> query(String sql, RowMapper<T> rowMapper) {
		return query(sql, EmptySqlParameterSource.INSTANCE, rowMapper);
	}

	/**
	 * Write one row, and read what the statement returns of it.
	 * @param <T> the kind of objects
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param rowMapper makes an object of the row; never null
	 * @return this object; null if the mapper returns null
	 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
	 */
	public <T extends @Nullable Object> T queryForObject(String sql, SqlParameterSource paramSource,
			RowMapper<T> rowMapper) {
		return DataAccessUtils.nullableSingleResult(query(sql, paramSource, rowMapper));
	}

	/**
	 * Write one row, and read what the statement returns of it.
	 * @param <T> the kind of objects
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @param rowMapper makes an object of the row; never null
	 * @return this object; null if the mapper returns null
	 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
	 */
	public <T extends @Nullable Object> T queryForObject(String sql, Map<String, ?> paramMap, RowMapper<T> rowMapper) {
		return queryForObject(sql, source(paramMap), rowMapper);
	}

	/**
	 * Write one row, and read what the statement returns of it.
	 * @param <T> the kind of values
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param requiredType the type of the only column; never null
	 * @return the value; may be null
	 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
	 */
	public <T> @Nullable T queryForObject(String sql, SqlParameterSource paramSource, Class<T> requiredType) {
		return queryForObject(sql, paramSource, new SingleColumnRowMapper<>(requiredType));
	}

	/**
	 * Write one row, and read what the statement returns of it.
	 * @param <T> the kind of values
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @param requiredType the type of the only column; never null
	 * @return the value; may be null
	 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
	 */
	public <T> @Nullable T queryForObject(String sql, Map<String, ?> paramMap, Class<T> requiredType) {
		return queryForObject(sql, source(paramMap), requiredType);
	}

	/**
	 * Write one row, and read what the statement returns of it.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @return the row, by column names that do not tell case; never null
	 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
	 */
	public Map<String, @Nullable Object> queryForMap(String sql, SqlParameterSource paramSource) {
		return DataAccessUtils.requiredSingleResult(queryForList(sql, paramSource));
	}

	/**
	 * Write one row, and read what the statement returns of it.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @return the row, by column names that do not tell case; never null
	 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
	 */
	public Map<String, @Nullable Object> queryForMap(String sql, Map<String, ?> paramMap) {
		return queryForMap(sql, source(paramMap));
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of values
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @param elementType the type of the only column; never null
	 * @return the values in order; never null, but they may be
	 */
	public <T> List<@Nullable T> queryForList(String sql, SqlParameterSource paramSource, Class<T> elementType) {
		return query(sql, paramSource, new SingleColumnRowMapper<>(elementType));
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param <T> the kind of values
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @param elementType the type of the only column; never null
	 * @return the values in order; never null, but they may be
	 */
	public <T> List<@Nullable T> queryForList(String sql, Map<String, ?> paramMap, Class<T> elementType) {
		return queryForList(sql, source(paramMap), elementType);
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramSource the value of each parameter; never null
	 * @return the rows in order, by column names that do not tell case; never null
	 */
	public List<Map<String, @Nullable Object>> queryForList(String sql, SqlParameterSource paramSource) {
		return query(sql, paramSource, new ColumnMapRowMapper());
	}

	/**
	 * Write rows, and read what the statement returns of them.
	 * @param sql the statement, with {@code :name} for each parameter; never null
	 * @param paramMap the value of each parameter by its name; never null, the values may
	 * be
	 * @return the rows in order, by column names that do not tell case; never null
	 */
	public List<Map<String, @Nullable Object>> queryForList(String sql, Map<String, ?> paramMap) {
		return queryForList(sql, source(paramMap));
	}

	private StatementCall call(String sql, SqlParameterSource source) {
		Assert.notNull(sql, "The statement must not be null");
		Assert.notNull(source, "The source of the parameters must not be null");
		return this.statements.call(sql, source);
	}

	private static SqlParameterSource source(Map<String, ?> values) {
		Assert.notNull(values, "The map of the parameters must not be null");
		return new MapSqlParameterSource(values);
	}

}
