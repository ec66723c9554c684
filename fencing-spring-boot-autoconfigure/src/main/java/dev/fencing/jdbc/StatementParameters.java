package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.util.Assert;

/**
 * Collects the parameters of a statement, which are either named or positional.
 */
final class StatementParameters {

	private final String sql;

	private final NamedStatements statements;

	private final List<@Nullable Object> positional = new ArrayList<>();

	private final MapSqlParameterSource named = new MapSqlParameterSource();

	private @Nullable SqlParameterSource source;

	StatementParameters(String sql, NamedStatements statements) {
		this.sql = sql;
		this.statements = statements;
	}

	void add(@Nullable Object value) {
		this.positional.add(value);
	}

	/**
	 * Set a positional parameter.
	 * @param jdbcIndex which one, counted from 1; those before it that were not given are
	 * null
	 * @param value the value
	 */
	void set(int jdbcIndex, @Nullable Object value) {
		Assert.isTrue(jdbcIndex >= 1, "The index of a parameter is counted from 1");
		while (this.positional.size() < jdbcIndex) {
			this.positional.add(null);
		}
		this.positional.set(jdbcIndex - 1, value);
	}

	void set(String name, @Nullable Object value) {
		this.named.addValue(name, value);
	}

	void set(String name, @Nullable Object value, int sqlType) {
		this.named.addValue(name, value, sqlType);
	}

	void setAll(Map<String, ?> values) {
		this.named.addValues(values);
	}

	void setSource(SqlParameterSource source) {
		this.source = source;
	}

	/**
	 * Return the statement with the parameters as they are now.
	 * @throws IllegalStateException if they are of several kinds
	 * @throws InvalidDataAccessApiUsageException if they do not fit the statement
	 */
	StatementCall call() {
		boolean singly = this.named.hasValues();
		Assert.state(!singly || this.source == null,
				"Named parameters were given both singly and by a source: use one of the two");
		Assert.state(this.positional.isEmpty() || (!singly && this.source == null),
				"Named and positional parameters were given: use one of the two");
		if (this.source != null) {
			return this.statements.call(this.sql, this.source);
		}
		return singly ? this.statements.call(this.sql, this.named)
				: StatementCall.of(this.sql, this.positional.toArray());
	}

}
