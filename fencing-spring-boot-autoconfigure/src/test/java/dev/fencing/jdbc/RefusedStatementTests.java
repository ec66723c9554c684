package dev.fencing.jdbc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A statement that was refused for some of its rows has written the others: the
 * transaction must not commit them, also if the application goes on after the exception.
 */
class RefusedStatementTests {

	private final ParcelFixture parcels = new ParcelFixture(TestDatabase.H2, true);

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void transactionThatGoesOnAfterAPartlyStaleStatementDoesNotCommit() {
		FencedJdbcTemplate fencedJdbc = this.parcels.fencedJdbc();
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		this.parcels.under(8,
				() -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(
						() -> this.parcels.inTransaction(() -> assertThatExceptionOfType(StaleGenerationException.class)
							.isThrownBy(() -> fencedJdbc.update("update parcel set state = 'X' where depot = ?", 5)))));
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
		assertThat(this.parcels.state(3)).isEqualTo("NEW");
		assertThat(this.parcels.rejections()).hasSize(1);
	}

	@Test
	void transactionThatGoesOnAfterARowWithoutATokenDoesNotCommit() {
		FencedJdbcTemplate fencedJdbc = this.parcels.fencedJdbc();
		this.parcels.jdbc().execute("alter table parcel alter column fencing_token set null");
		this.parcels.jdbc().update("update parcel set fencing_token = null where id = 2");
		this.parcels.under(8, () -> assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(
				() -> this.parcels.inTransaction(() -> assertThatExceptionOfType(UnguardableStatementException.class)
					.isThrownBy(() -> fencedJdbc.update("update parcel set state = 'X' where depot = ?", 5)))));
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
		assertThat(this.parcels.rejections()).isEmpty();
	}

}
