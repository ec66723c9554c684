package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.jdbc.PinnedColumns.Pin;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PinnedColumns}.
 */
class PinnedColumnsTests {

	@ParameterizedTest
	@ValueSource(strings = { "id = ?", "? = id", "(id = ?)", "((id) = ?) and ((id = ?))", "p.id = ? and x > 3",
			"x between 1 and 2 and id = ?", "x = 1 and (y = 2 and (id = ?))", "not x = 1 and id = ?", "id = 17",
			"id = 'a'", "\"id\" = ?", "(a or b) and id = ?", "id = ?::uuid", "x in (1, 2) and id = ?" })
	void termThatMustHoldPins(String condition) {
		assertThat(pin(condition)).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "id = ? or x = 1", "id >= ?", "id <> ?", "id != ?", "id = x", "id = ? + x", "-id = ?",
			"x between 1 and id = ?", "case when a then b and id = ? and c else d end", "not id = ?", "not (id = ?)",
			"(id = ? or x)", "id in (?)", "f(id = ?)", "id = ?::float8", "id = 1.5", "id is null", "x = 1",
			"id = ? is null", "? >= id", "id::text = ?", "exists (select 1 from u where id = ?)", "id = -1",
			"(id = ?) is not true" })
	void whatNeedNotHoldOrIsNoEqualityDoesNotPin(String condition) {
		assertThat(pin(condition)).isNull();
	}

	@Test
	void pinKnowsItsArgument() {
		Pin pin = pin("x = ? and id = ?");
		assertThat(pin).isNotNull();
		assertThat(pin.argument()).isEqualTo(2);
		Pin literal = pin("id = 'a'");
		assertThat(literal).isNotNull();
		assertThat(literal.argument()).isEqualTo(-1);
		assertThat(literal.string()).isTrue();
	}

	private static @Nullable Pin pin(String condition) {
		return Guarding.guard("update t p set a = ? where " + condition, SqlDialect.POSTGRESQL)
			.pinnedColumns()
			.find((column) -> column.name().equals("id"));
	}

}
