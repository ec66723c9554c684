package dev.fencing.jdbc;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.fencing.StaleGenerationException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tables that a statement joins and only reads: they may have a token column, too, which
 * is neither stamped nor compared.
 */
class JoinedTablesTests {

	private static final String UPDATE = """
			UPDATE parcel AS p SET state = v.state FROM unnest(?::int[], ?::text[]) AS v(id, state), shelf \
			WHERE shelf.parcel = p.id AND p.depot = ? AND p.id = v.id""";

	private final ParcelFixture parcels = new ParcelFixture(TestDatabase.POSTGRESQL, true);

	private final FencedJdbcTemplate fencedJdbc = this.parcels.fencedJdbc();

	@BeforeEach
	void createShelves() {
		this.parcels.jdbc()
			.execute("create table shelf (parcel int primary key, fencing_token bigint not null default 99000000)");
		this.parcels.jdbc().execute("insert into shelf (parcel) values (1), (2), (3)");
	}

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void arraysArriveInTheirSlotsAndTheTargetAloneIsStamped() {
		this.parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(UPDATE, new Integer[] { 3, 1 }, new String[] { "C", "A" }, 5))
				.isEqualTo(2);
			assertThat(this.fencedJdbc.update(UPDATE, new Integer[] { 2 }, new String[] { "B" }, 6)).isZero();
		});
		assertThat(states()).containsExactly("A", "NEW", "C");
		assertThat(List.of(this.parcels.stamp(1), this.parcels.stamp(2), this.parcels.stamp(3))).containsExactly(7L, 0L,
				7L);
		assertThat(this.parcels.jdbc().queryForList("select distinct fencing_token from shelf", Long.class))
			.containsExactly(99_000_000L);
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void oneRowOfALaterOwnerRefusesAll() {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		this.parcels.under(8, () -> {
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(
					() -> this.fencedJdbc.update(UPDATE, new Integer[] { 1, 2, 3 }, new String[] { "A", "B", "C" }, 5));
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(
					() -> this.fencedJdbc.update("delete from parcel using shelf where shelf.parcel = parcel.id"));
		});
		assertThat(states()).containsExactly("NEW", "NEW", "NEW");
		assertThat(this.parcels.rejections()).hasSize(2);
	}

	private List<String> states() {
		return this.parcels.jdbc().queryForList("select state from parcel order by id", String.class);
	}

}
