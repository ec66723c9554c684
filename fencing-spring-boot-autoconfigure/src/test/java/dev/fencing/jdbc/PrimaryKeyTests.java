package dev.fencing.jdbc;

import java.sql.Types;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.SqlParameterValue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PrimaryKey}.
 */
class PrimaryKeyTests {

	private final PrimaryKey number = new PrimaryKey(Map.of("ID", false), PrimaryKeyTests::fold);

	private final PrimaryKey text = new PrimaryKey(Map.of("ID", true), PrimaryKeyTests::fold);

	@Test
	void textIsFixedByTextOnly() {
		assertThat(isPinned(this.text, "id = ?", "1")).isTrue();
		assertThat(isPinned(this.text, "id = '1'")).isTrue();
		// equal to '1' as well as to '01'
		assertThat(isPinned(this.text, "id = ?", 1)).isFalse();
		assertThat(isPinned(this.text, "id = 1")).isFalse();
		assertThat(isPinned(this.text, "id = ?", new Object[] { null })).isFalse();
	}

	@Test
	void numberIsFixedByWhatIsComparedExactly() {
		assertThat(isPinned(this.number, "id = ?", 1L)).isTrue();
		assertThat(isPinned(this.number, "id = ?", UUID.randomUUID())).isTrue();
		assertThat(isPinned(this.number, "id = 1")).isTrue();
		assertThat(isPinned(this.number, "id = ?", 1.0)).isFalse();
		assertThat(isPinned(this.number, "id = ?", 1.0f)).isFalse();
		assertThat(isPinned(this.number, "id = ?", new SqlParameterValue(Types.DOUBLE, "1"))).isFalse();
		assertThat(isPinned(this.number, "id = ?", new SqlParameterValue(Types.BIGINT, 1.0))).isFalse();
		assertThat(isPinned(this.number, "id = ?", new SqlParameterValue(Types.BIGINT, 1))).isTrue();
		assertThat(isPinned(this.text, "id = ?", new SqlParameterValue(Types.BIGINT, "1"))).isFalse();
		assertThat(isPinned(this.text, "id = ?", new SqlParameterValue(Types.VARCHAR, "1"))).isTrue();
	}

	@Test
	void caseOfANameInQuotesCounts() {
		assertThat(isPinned(this.number, "\"ID\" = 1")).isTrue();
		assertThat(isPinned(this.number, "\"id\" = 1")).isFalse();
	}

	@Test
	void allColumnsOfAKeyMustBeFixed() {
		PrimaryKey pair = new PrimaryKey(Map.of("ID", false, "PART", false), PrimaryKeyTests::fold);
		assertThat(isPinned(pair, "id = ? and part = ?", 1, 2)).isTrue();
		assertThat(isPinned(pair, "id = ?", 1)).isFalse();
		assertThat(isPinned(PrimaryKey.UNKNOWN, "id = ?", 1)).isFalse();
	}

	private static String fold(SqlIdentifier column) {
		return column.quoted() ? column.name() : column.name().toUpperCase(Locale.ROOT);
	}

	private static boolean isPinned(PrimaryKey key, String condition, @Nullable Object... arguments) {
		GuardedStatement statement = Guarding.guard("delete from t where " + condition, SqlDialect.H2);
		return key.isPinned(statement.pinnedColumns(), arguments);
	}

}
