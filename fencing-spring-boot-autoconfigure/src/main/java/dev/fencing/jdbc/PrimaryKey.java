package dev.fencing.jdbc;

import java.sql.Types;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.SqlParameterValue;

import dev.fencing.jdbc.PinnedColumns.Pin;

/**
 * The primary key of a table.
 *
 * @param columns whether its columns hold text, by their names; empty if there is none,
 * or if nobody can tell
 * @param fold makes such a name of that in a statement
 */
record PrimaryKey(Map<String, Boolean> columns, Function<SqlIdentifier, String> fold) {

	private static final Set<Integer> TEXTS = Set.of(Types.CHAR, Types.VARCHAR, Types.NCHAR, Types.NVARCHAR);

	private static final Set<Integer> INTEGERS = Set.of(Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT);

	static final PrimaryKey UNKNOWN = new PrimaryKey(Map.of(), SqlIdentifier::name);

	/**
	 * Return whether each of its columns is fixed to one value.
	 */
	boolean isPinned(PinnedColumns pinned, @Nullable Object[] arguments) {
		return !this.columns.isEmpty() && this.columns.entrySet()
			.stream()
			.allMatch((column) -> isPinned(pinned.find((name) -> column.getKey().equals(this.fold.apply(name))),
					column.getValue(), arguments));
	}

	/**
	 * Whether the value is compared as the key is: a text that is compared as a number
	 * ('1', '01'), or an integer that is compared as a floating point number, is equal to
	 * several keys.
	 */
	private static boolean isPinned(@Nullable Pin pin, boolean text, @Nullable Object[] arguments) {
		if (pin == null) {
			return false;
		}
		if (pin.argument() < 0) {
			return pin.string() || !text;
		}
		Object argument = arguments[pin.argument()];
		if (argument instanceof SqlParameterValue typed) {
			if (!(text ? TEXTS : INTEGERS).contains(typed.getSqlType())) {
				return false;
			}
			argument = typed.getValue();
		}
		if (text) {
			return argument instanceof CharSequence;
		}
		return argument != null && !(argument instanceof Double) && !(argument instanceof Float);
	}

}
