package dev.fencing.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.ColumnMapRowMapper;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SingleColumnRowMapper;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.SqlRowSetResultSetExtractor;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SimplePropertySqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.jdbc.support.rowset.SqlRowSet;
import org.springframework.util.Assert;

import dev.fencing.jdbc.FencedJdbcClient.MappedQuerySpec;
import dev.fencing.jdbc.FencedJdbcClient.ResultQuerySpec;
import dev.fencing.jdbc.FencedJdbcClient.StatementSpec;

/**
 * A statement of the client.
 */
// As in the interface
@SuppressWarnings("overloads")
final class DefaultStatementSpec implements StatementSpec {

	private final FencedJdbcTemplate fencedJdbc;

	private final StatementParameters parameters;

	private final RowMappers rowMappers;

	DefaultStatementSpec(FencedJdbcTemplate fencedJdbc, StatementParameters parameters, RowMappers rowMappers) {
		this.fencedJdbc = fencedJdbc;
		this.parameters = parameters;
		this.rowMappers = rowMappers;
	}

	@Override
	public StatementSpec param(@Nullable Object value) {
		refuseList(value);
		this.parameters.add(value);
		return this;
	}

	@Override
	public StatementSpec param(int jdbcIndex, @Nullable Object value) {
		refuseList(value);
		this.parameters.set(jdbcIndex, value);
		return this;
	}

	@Override
	public StatementSpec param(int jdbcIndex, @Nullable Object value, int sqlType) {
		refuseList(value);
		this.parameters.set(jdbcIndex, new SqlParameterValue(sqlType, value));
		return this;
	}

	private static void refuseList(@Nullable Object value) {
		Assert.isTrue(!(value instanceof Iterable<?>), "A positional parameter cannot be a list: only a named one can");
	}

	@Override
	public StatementSpec param(String name, @Nullable Object value) {
		this.parameters.set(name, value);
		return this;
	}

	@Override
	public StatementSpec param(String name, @Nullable Object value, int sqlType) {
		this.parameters.set(name, value, sqlType);
		return this;
	}

	@Override
	public StatementSpec params(@Nullable Object... values) {
		Assert.notNull(values, "The values must not be null: write param(null) for a single one that is");
		return params(Arrays.asList(values));
	}

	@Override
	public StatementSpec params(List<?> values) {
		Assert.notNull(values, "The values must not be null");
		values.forEach(this.parameters::add);
		return this;
	}

	@Override
	public StatementSpec params(Map<String, ?> paramMap) {
		Assert.notNull(paramMap, "The map of the parameters must not be null");
		this.parameters.setAll(paramMap);
		return this;
	}

	@Override
	@SuppressWarnings("unchecked")
	public StatementSpec paramSource(Object namedParamObject) {
		Assert.notNull(namedParamObject, "The object with the parameters must not be null");
		return paramSource((namedParamObject instanceof Map<?, ?> map) ? new MapSqlParameterSource((Map<String, ?>) map)
				: new SimplePropertySqlParameterSource(namedParamObject));
	}

	@Override
	public StatementSpec paramSource(SqlParameterSource namedParamSource) {
		Assert.notNull(namedParamSource, "The source of the parameters must not be null");
		this.parameters.setSource(namedParamSource);
		return this;
	}

	@Override
	public ResultQuerySpec query() {
		return new Rows(this.fencedJdbc, this.parameters.call());
	}

	@Override
	public <T> MappedQuerySpec<@Nullable T> query(Class<T> mappedClass) {
		Assert.notNull(mappedClass, "The class must not be null");
		return query(this.rowMappers.get(mappedClass));
	}

	@Override
	public <T extends @Nullable Object> MappedQuerySpec<T> query(RowMapper<T> rowMapper) {
		Assert.notNull(rowMapper, "The mapper must not be null");
		StatementCall call = this.parameters.call();
		return () -> this.fencedJdbc.query(call, rowMapper);
	}

	@Override
	public void query(RowCallbackHandler rch) {
		Assert.notNull(rch, "The handler must not be null");
		query(ResultSets.each(rch));
	}

	@Override
	public <T extends @Nullable Object> T query(ResultSetExtractor<T> rse) {
		Assert.notNull(rse, "The extractor must not be null");
		return this.fencedJdbc.query(this.parameters.call(), rse);
	}

	@Override
	public int update() {
		return this.fencedJdbc.update(this.parameters.call());
	}

	@Override
	public int update(KeyHolder generatedKeyHolder) {
		Assert.notNull(generatedKeyHolder, "The key holder must not be null");
		return this.fencedJdbc.update(this.parameters.call(), generatedKeyHolder, null);
	}

	@Override
	public int update(KeyHolder generatedKeyHolder, String... keyColumnNames) {
		Assert.notNull(generatedKeyHolder, "The key holder must not be null");
		Assert.notNull(keyColumnNames, "The names of the key columns must not be null");
		return this.fencedJdbc.update(this.parameters.call(), generatedKeyHolder, keyColumnNames);
	}

	/**
	 * Rows as they are.
	 */
	private record Rows(FencedJdbcTemplate fencedJdbc, StatementCall call) implements ResultQuerySpec {

		@Override
		public SqlRowSet rowSet() {
			return this.fencedJdbc.query(this.call, new SqlRowSetResultSetExtractor());
		}

		@Override
		public List<Map<String, @Nullable Object>> listOfRows() {
			return this.fencedJdbc.query(this.call, new ColumnMapRowMapper());
		}

		@Override
		public Map<String, @Nullable Object> singleRow() {
			return DataAccessUtils.requiredSingleResult(listOfRows());
		}

		@Override
		public List<@Nullable Object> singleColumn() {
			return this.fencedJdbc.query(this.call, new SingleColumnRowMapper<>(Object.class));
		}

	}

}
