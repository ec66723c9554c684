package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.SqlParameter;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import dev.fencing.jdbc.StatementCall.Statement;

/**
 * A statement with named parameters, read as the installed Spring reads it. Immutable.
 */
final class NamedStatement {

	private final ParsedSql parsed;

	/**
	 * What is sent where no value is a list: nearly always.
	 */
	private final Statement unexpanded;

	private NamedStatement(ParsedSql parsed, Statement unexpanded) {
		this.parsed = parsed;
		this.unexpanded = unexpanded;
	}

	static NamedStatement of(String sql) {
		ParsedSql parsed = NamedParameterUtils.parseSqlStatement(sql);
		List<Integer> tokenParameters = new ArrayList<>();
		List<SqlParameter> parameters = NamedParameterUtils.buildSqlParameterList(parsed,
				EmptySqlParameterSource.INSTANCE);
		for (int i = 0; i < parameters.size(); i++) {
			if (NamedParameterValues.TOKEN_NAME.equals(parameters.get(i).getName())) {
				tokenParameters.add(i);
			}
		}
		String positional = NamedParameterUtils.substituteNamedParameters(parsed, null);
		return new NamedStatement(parsed, new Statement(positional, List.copyOf(tokenParameters)));
	}

	/**
	 * Put values in the place of the names.
	 * @param source the values; not changed
	 * @throws InvalidDataAccessApiUsageException if a value is missing, if the statement
	 * has {@code ?} as well, or if the source has a value for the fencing token
	 */
	StatementCall call(SqlParameterSource source) {
		NamedParameterValues values = new NamedParameterValues(source);
		// Refuses missing values and a mixture of styles
		@Nullable Object[] inOrder = NamedParameterUtils.buildValueArray(this.parsed, values, null);
		List<SqlParameter> types = NamedParameterUtils.buildSqlParameterList(this.parsed, values);
		List<@Nullable Object> arguments = new ArrayList<>(inOrder.length);
		List<Integer> tokenParameters = new ArrayList<>();
		for (int i = 0; i < types.size(); i++) {
			if (inOrder[i] == NamedParameterValues.TOKEN) {
				tokenParameters.add(arguments.size() + tokenParameters.size());
			}
			else {
				addExpanded(arguments, inOrder[i], types.get(i));
			}
		}
		Statement statement = values.haveList()
				? new Statement(NamedParameterUtils.substituteNamedParameters(this.parsed, values),
						List.copyOf(tokenParameters))
				: this.unexpanded;
		return new StatementCall(statement, arguments.toArray());
	}

	/**
	 * Add a value, or those of a list and of the tuples in it: one for each placeholder.
	 */
	private static void addExpanded(List<@Nullable Object> arguments, @Nullable Object value, SqlParameter declared) {
		SqlParameter type = (value instanceof SqlParameterValue typed) ? typed : declared;
		Object untyped = (value instanceof SqlParameterValue typed) ? typed.getValue() : value;
		if (!(untyped instanceof Iterable<?> list)) {
			arguments.add((value instanceof SqlParameterValue) ? value : typed(type, untyped));
			return;
		}
		for (Object element : list) {
			if (element instanceof @Nullable Object[] tuple) {
				for (Object part : tuple) {
					arguments.add(typed(type, part));
				}
			}
			else {
				arguments.add(typed(type, element));
			}
		}
	}

	private static @Nullable Object typed(SqlParameter type, @Nullable Object value) {
		boolean unknown = type.getSqlType() == SqlParameterSource.TYPE_UNKNOWN && type.getTypeName() == null;
		return unknown ? value : new SqlParameterValue(type, value);
	}

	@Override
	public String toString() {
		return this.parsed.toString();
	}

}
