package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.fencing.jdbc.SqlText.Range;

/**
 * The columns that a condition fixes to one value each, by a term {@code column = value}
 * that must hold for every row. If they make up a key, one row at most is meant.
 */
final class PinnedColumns {

	/**
	 * Casts that map different values to different ones.
	 */
	private static final Set<String> EXACT_CASTS = Set.of("BIGINT", "INT8", "INTEGER", "INT", "INT4", "UUID");

	/**
	 * No column is fixed.
	 */
	static final PinnedColumns NONE = new PinnedColumns(new SqlText("", SqlDialect.POSTGRESQL, List.of(), false));

	private final SqlText text;

	private final List<Pin> pins = new ArrayList<>();

	private PinnedColumns(SqlText text) {
		this.text = text;
	}

	static PinnedColumns of(SqlText text, Range condition) {
		PinnedColumns pinned = new PinnedColumns(text);
		for (Range term : Conjunction.terms(text, condition)) {
			pinned.addTerm(term.from(), term.to());
		}
		return pinned;
	}

	boolean isEmpty() {
		return this.pins.isEmpty();
	}

	/**
	 * Return the value to which the column is fixed, or null if it is not.
	 * @param column tells the column by its name in the statement
	 */
	@Nullable Pin find(Predicate<SqlIdentifier> column) {
		for (Pin pin : this.pins) {
			if (column.test(pin.column())) {
				return pin;
			}
		}
		return null;
	}

	private void addTerm(int from, int to) {
		for (int i = from; i < to; i++) {
			if (this.text.isSymbol(i, '=')) {
				SqlIdentifier column = column(from, i);
				if (column != null) {
					addPin(column, i + 1, to);
				}
				else {
					column = column(i + 1, to);
					if (column != null) {
						addPin(column, from, i);
					}
				}
				return;
			}
		}
	}

	private @Nullable SqlIdentifier column(int from, int to) {
		for (int i = from; i < to; i++) {
			boolean name = (i - from) % 2 == 0;
			if (name ? !this.text.isIdentifier(i) : !this.text.isSymbol(i, '.')) {
				return null;
			}
		}
		return ((to - from) % 2 == 1) ? this.text.identifier(to - 1) : null;
	}

	private void addPin(SqlIdentifier column, int from, int to) {
		boolean cast = to - from == 3 && this.text.text(from + 1).equals("::")
				&& EXACT_CASTS.contains(this.text.text(from + 2).toUpperCase(Locale.ROOT));
		if (to - from == 1 || cast) {
			switch (this.text.token(from).kind()) {
				case PLACEHOLDER -> this.pins.add(new Pin(column, this.text.token(from).argument(), false));
				case STRING -> this.pins.add(new Pin(column, -1, true));
				case NUMBER -> {
					if (this.text.text(from).chars().allMatch((c) -> c >= '0' && c <= '9')) {
						this.pins.add(new Pin(column, -1, false));
					}
				}
				case WORD, QUOTED, ESCAPE_STRING, STRING_OR_NAME, TOKEN_PLACEHOLDER, SYMBOL -> {
				}
			}
		}
	}

	/**
	 * A column that is fixed to one value.
	 *
	 * @param column its name in the statement
	 * @param argument the index of the argument that is the value, or -1
	 * @param string whether the value is a string literal
	 */
	record Pin(SqlIdentifier column, int argument, boolean string) {
	}

}
