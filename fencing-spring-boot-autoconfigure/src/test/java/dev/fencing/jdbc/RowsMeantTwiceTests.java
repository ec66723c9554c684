package dev.fencing.jdbc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An upsert of several rows may mean one row twice, where the database does not mind.
 */
class RowsMeantTwiceTests {

	private static final String UPSERT = """
			insert into parcel (id, state) values (%d, 'A'), (%d, 'B') \
			on duplicate key update state = concat(state, values(state))""";

	private final ParcelFixture parcels = new ParcelFixture(TestDatabase.MARIADB, true);

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void ownerThatMeansARowTwiceIsNotCalledStale() {
		for (int id : new int[] { 1, 7 }) {
			this.parcels.under(8 + id,
					() -> assertThatExceptionOfType(UnguardableStatementException.class)
						.isThrownBy(() -> this.parcels.fencedJdbc().update(UPSERT.formatted(id, id)))
						.withMessageContaining("one row twice"));
		}
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
		assertThat(this.parcels.jdbc().queryForList("select id from parcel where id = 7")).isEmpty();
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void rowOfALaterOwnerIsStaleStill() {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		this.parcels.under(8, () -> assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.parcels.fencedJdbc().update(UPSERT.formatted(1, 2))));
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
		assertThat(this.parcels.rejections()).hasSize(1);
	}

}
