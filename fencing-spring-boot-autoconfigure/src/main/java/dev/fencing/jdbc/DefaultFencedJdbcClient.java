package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * The client on a {@link FencedJdbcTemplate}.
 */
final class DefaultFencedJdbcClient implements FencedJdbcClient {

	private final FencedJdbcTemplate fencedJdbc;

	private final NamedStatements statements;

	private final RowMappers rowMappers;

	DefaultFencedJdbcClient(FencedJdbcTemplate fencedJdbc) {
		this(fencedJdbc, new NamedStatements(), new RowMappers());
	}

	private DefaultFencedJdbcClient(FencedJdbcTemplate fencedJdbc, NamedStatements statements, RowMappers rowMappers) {
		Assert.notNull(fencedJdbc, "The FencedJdbcTemplate must not be null");
		this.fencedJdbc = fencedJdbc;
		this.statements = statements;
		this.rowMappers = rowMappers;
	}

	@Override
	public FencedJdbcClient on(String name, @Nullable Object key) {
		return new DefaultFencedJdbcClient(this.fencedJdbc.on(name, key), this.statements, this.rowMappers);
	}

	@Override
	public StatementSpec sql(String sql) {
		Assert.notNull(sql, "The statement must not be null");
		return new DefaultStatementSpec(this.fencedJdbc, new StatementParameters(sql, this.statements),
				this.rowMappers);
	}

}
