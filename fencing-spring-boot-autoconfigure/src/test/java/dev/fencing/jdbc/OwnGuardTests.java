package dev.fencing.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.InvalidDataAccessApiUsageException;

import dev.fencing.FencingContext;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Statements that have the guard already are not given a second one.
 */
class OwnGuardTests extends AbstractParcelTests {

	private static final String WITH_PARAMETER = """
			update parcel set state = ?, fencing_token = :fencingToken where id = ? and fencing_token < :fencingToken""";

	private static final String WITH_ARGUMENTS = """
			update parcel set state = ?, fencing_token = ? where id = ? and fencing_token < ?""";

	private final TestDatabase database;

	private final FencedJdbcTemplate fencedJdbc = parcels.fencedJdbc();

	OwnGuardTests(TestDatabase database) {
		this.database = database;
	}

	@Test
	void parameterIsTheTokenOfEachOwner() {
		parcels.under(7, () -> assertThat(this.fencedJdbc.update(WITH_PARAMETER, "A", 1)).isEqualTo(1));
		assertThat(parcels.stamp(1)).isEqualTo(7);
		parcels.under(8, () -> assertThat(this.fencedJdbc.update(WITH_PARAMETER, "B", 1)).isEqualTo(1));
		assertThat(parcels.stamp(1)).isEqualTo(8);
		assertThat(parcels.state(1)).isEqualTo("B");
	}

	@Test
	void staleOwnerIsRefused() {
		parcels.under(6, () -> {
			parcels.elsewhere(7, () -> this.fencedJdbc.update(WITH_PARAMETER, "A", 1));
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(WITH_PARAMETER, "B", 1));
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> {
				long token = FencingContext.require().nextToken();
				this.fencedJdbc.update(WITH_ARGUMENTS, "C", token, 1, token);
			});
		});
		assertThat(parcels.state(1)).isEqualTo("A");
		assertThat(parcels.rejections()).hasSize(2);
	}

	@Test
	void argumentMayBeATokenOfTheOwnerAndNothingElse() {
		parcels.under(7, () -> {
			long token = FencingContext.require().nextToken();
			assertThat(this.fencedJdbc.update(WITH_ARGUMENTS, "A", token, 1, token)).isEqualTo(1);
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update(WITH_ARGUMENTS, "B", 0, 1, Long.MAX_VALUE))
				.withMessageContaining(":fencingToken");
		});
		assertThat(parcels.state(1)).isEqualTo("A");
		assertThat(parcels.stamp(1)).isEqualTo(7);
	}

	@Test
	void rowThatIsNotThereIsNoRejection() {
		parcels.under(7, () -> assertThat(this.fencedJdbc.update(WITH_PARAMETER, "A", 99)).isZero());
		assertThat(parcels.rejections()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "update parcel set state = ?, fencing_token = ? where id = ? and fencing_token <= ?",
			"update parcel set state = ?, fencing_token = ? where id = ? or fencing_token < ?",
			"update parcel set state = ? where id = ? and fencing_token < :fencingToken",
			"update parcel set state = ?, fencing_token = :fencingToken where id = ?" })
	void guardThatLetsAStaleOwnerPassIsRefused(String sql) {
		Object[] arguments = sql.contains("token <=") || sql.contains(" or ")
				? new Object[] { "A", 7_000_900L, 1, 7_000_900L } : new Object[] { "A", 1 };
		parcels.under(7, () -> assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> this.fencedJdbc.update(sql, arguments)));
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

}
