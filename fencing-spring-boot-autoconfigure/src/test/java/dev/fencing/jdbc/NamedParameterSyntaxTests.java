package dev.fencing.jdbc;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.InvalidDataAccessApiUsageException;

import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Named parameters in the neighbourhood of what only some databases know, and of what
 * Spring, which looks for the names, does not.
 */
class NamedParameterSyntaxTests {

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "H2" })
	void arrayBracketsAndCastsAreNoPartOfAName(TestDatabase database) {
		try (ParcelFixture parcels = new ParcelFixture(database, true)) {
			FencedNamedParameterJdbcTemplate fencedJdbc = new FencedNamedParameterJdbcTemplate(parcels.fencedJdbc());
			String sql = """
					update parcel set state = (array['other', :rows])[2], prio = :prio::int where id = :id::int \
					and depot = :depot""";
			parcels.under(7,
					() -> assertThat(fencedJdbc.update(sql, Map.of("rows", "first", "prio", "77", "id", 1, "depot", 5)))
						.isOne());
			assertThat(parcels.state(1)).isEqualTo("first");
			assertThat(parcels.jdbc().queryForObject("select prio from parcel where id = 1", Integer.class))
				.isEqualTo(77);
			assertThat(parcels.stamp(1)).isEqualTo(7);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "H2" })
	void nameInADollarQuotedLiteralIsRefused(TestDatabase database) {
		try (ParcelFixture parcels = new ParcelFixture(database, true)) {
			FencedNamedParameterJdbcTemplate fencedJdbc = new FencedNamedParameterJdbcTemplate(parcels.fencedJdbc());
			parcels.under(7, () -> {
				assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> fencedJdbc
					.update("update parcel set state = $$ :x $$ where id = :id", Map.of("x", 2, "id", 1)));
				assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> fencedJdbc
					.update("update parcel set state = $$ it's $$ where id = :id", Map.of("id", 1)));
				assertThat(fencedJdbc.update("update parcel set state = $$ WHERE $$ where id = :id", Map.of("id", 2)))
					.isOne();
			});
			assertThat(parcels.state(1)).isEqualTo("NEW");
			assertThat(parcels.state(2)).isEqualTo(" WHERE ");
		}
	}

	@Test
	void backticksAreQuotesAndABackslashBeforeAQuoteIsRefused() {
		try (ParcelFixture parcels = new ParcelFixture(TestDatabase.MARIADB, true)) {
			FencedNamedParameterJdbcTemplate fencedJdbc = new FencedNamedParameterJdbcTemplate(parcels.fencedJdbc());
			parcels.under(7, () -> {
				assertThat(fencedJdbc.update("update `parcel` set `state` = '? :x' where `id` = :id", Map.of("id", 1)))
					.isOne();
				assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> fencedJdbc
					.update("update parcel set state = 'it\\'s ?' where id = :id", Map.of("id", 2)));
				assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(() -> fencedJdbc
					.update("update parcel set state = 'it\\'s :id' where id = 2", Map.of("id", 2)));
			});
			assertThat(parcels.state(1)).isEqualTo("? :x");
			assertThat(parcels.stamp(1)).isEqualTo(7);
			assertThat(parcels.state(2)).isEqualTo("NEW");
		}
	}

}
