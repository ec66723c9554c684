package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/**
 * The values of one call: those of the application, and the one that stands for the
 * fencing token.
 *
 * <p>
 * Each is read only once. A getter that makes a new list each time, or a list that can be
 * walked through once, would else give the text another number of placeholders than there
 * are arguments.
 */
final class NamedParameterValues implements SqlParameterSource {

	/**
	 * The name that stands for the token.
	 */
	static final String TOKEN_NAME = "fencingToken";

	/**
	 * The value that is to be replaced by the token.
	 */
	static final Object TOKEN = new Object();

	private final SqlParameterSource source;

	private final Map<String, @Nullable Object> values = new HashMap<>();

	private boolean haveList;

	NamedParameterValues(SqlParameterSource source) {
		this.source = source;
	}

	/**
	 * Return whether one of the values that were asked for is a list.
	 */
	boolean haveList() {
		return this.haveList;
	}

	@Override
	public boolean hasValue(String name) {
		return TOKEN_NAME.equals(name) || this.source.hasValue(name);
	}

	@Override
	public @Nullable Object getValue(String name) {
		if (TOKEN_NAME.equals(name)) {
			return token();
		}
		if (!this.values.containsKey(name)) {
			this.values.put(name, fixed(this.source.getValue(name)));
		}
		return this.values.get(name);
	}

	private Object token() {
		if (this.source.hasValue(TOKEN_NAME)) {
			throw new InvalidDataAccessApiUsageException("""
					The parameter :%s stands for the token of the lease, so that it must not be given a value: \
					leave that out, or give your own parameter another name. Nothing was sent to the database"""
				.formatted(TOKEN_NAME));
		}
		return TOKEN;
	}

	private @Nullable Object fixed(@Nullable Object value) {
		if (value instanceof Iterable<?> list) {
			return copy(list);
		}
		if (value instanceof SqlParameterValue typed && typed.getValue() instanceof Iterable<?> list) {
			return new SqlParameterValue(typed, copy(list));
		}
		return value;
	}

	private List<@Nullable Object> copy(Iterable<?> list) {
		this.haveList = true;
		List<@Nullable Object> copy = new ArrayList<>();
		list.forEach(copy::add);
		return copy;
	}

	@Override
	public int getSqlType(String name) {
		return TOKEN_NAME.equals(name) ? TYPE_UNKNOWN : this.source.getSqlType(name);
	}

	@Override
	public @Nullable String getTypeName(String name) {
		return TOKEN_NAME.equals(name) ? null : this.source.getTypeName(name);
	}

	@Override
	public String @Nullable [] getParameterNames() {
		return this.source.getParameterNames();
	}

}
