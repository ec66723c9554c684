package dev.fencing.jdbc;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An INSERT that updates the row which is there already, with a key of two columns.
 */
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "MARIADB" })
class UpsertTests {

	@Parameter
	TestDatabase database;

	private ParcelFixture parcels;

	private FencedJdbcTemplate fencedJdbc;

	@BeforeEach
	void createSeats() {
		this.parcels = new ParcelFixture(this.database, true);
		this.fencedJdbc = this.parcels.fencedJdbc();
		this.parcels.jdbc().execute("""
				create table seat (hall int not null, no int not null, guest varchar(9), hits int not null default 0,
				fencing_token bigint not null default 0, primary key (hall, no))""");
		this.parcels.jdbc().execute("insert into seat values (1, 2, 'old', 5, 0), (2, 1, 'else', 0, 0)");
	}

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void rowThatIsThereIsUpdatedAndOneThatIsNotIsInserted() {
		this.parcels.under(7, () -> {
			upsert(1, 2, "ann");
			upsert(1, 3, "bob");
		});
		assertThat(seats()).containsExactly("1 2 ann 6 7000001", "1 3 bob 0 7000002", "2 1 else 0 0");
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void rowOfALaterOwnerStaysAsItIs() {
		this.parcels.jdbc().update("update seat set fencing_token = 9000001 where hall = 1");
		this.parcels.under(8, () -> {
			assertStale(Rejection.Guard.ROW, () -> upsert(1, 2, "ann"));
			assertStale(Rejection.Guard.ROW, () -> this.parcels.inTransaction(() -> {
				upsert(4, 4, "bob");
				upsert(1, 2, "ann");
			}));
		});
		assertThat(seats()).containsExactly("1 2 old 5 9000001", "2 1 else 0 0");
		assertThat(this.parcels.rejections()).hasSize(2);
	}

	@Test
	void oneOfSeveralRowsOfALaterOwnerRefusesAll() {
		String sql = sql().replace("values (?, ?, ?)", "values (?, ?, ?), (?, ?, ?), (?, ?, ?)");
		this.parcels.jdbc().update("update seat set fencing_token = 9000001 where hall = 1");
		this.parcels.under(8, () -> assertStale(Rejection.Guard.ROW,
				() -> this.fencedJdbc.update(sql, 3, 3, "x", 1, 2, "y", 2, 1, "z")));
		assertThat(seats()).containsExactly("1 2 old 5 9000001", "2 1 else 0 0");
		this.parcels.under(10, () -> this.fencedJdbc.update(sql, 3, 3, "x", 1, 2, "y", 2, 1, "z"));
		assertThat(seats()).containsExactly("1 2 y 6 10000001", "2 1 z 1 10000001", "3 3 x 0 10000001");
	}

	@Test
	void rowThatIsNotThereIsSeenByTheTransactionsGuardOnly() {
		this.parcels.under(7, () -> {
			this.parcels.elsewhere(8, () -> upsert(2, 1, "else"));
			assertStale(Rejection.Guard.TRANSACTION, () -> upsert(1, 3, "bob"));
		});
		assertThat(seats()).containsExactly("1 2 old 5 0", "2 1 else 1 8000001");
	}

	@Test
	void rowThatIsNotThereIsInsertedWithoutRegistration() {
		try (ParcelFixture unregistered = new ParcelFixture(this.database, false)) {
			unregistered.jdbc().execute("delete from parcel where id = 1");
			unregistered.under(7, () -> {
				unregistered.elsewhere(8, () -> unregistered.fencedJdbc().update("update parcel set prio = 1"));
				assertThat(unregistered.fencedJdbc().update("insert into parcel (id, state) values (1, 'LATE')"))
					.isEqualTo(1);
			});
			assertThat(unregistered.state(1)).isEqualTo("LATE");
			assertThat(unregistered.stamp(1)).isEqualTo(7);
		}
	}

	@Test
	void tokenThatAnotherOwnerIsGivenLaterIsNotRefusedForTheFirstOne() {
		this.parcels.stack().pool().setMaximumPoolSize(1);
		this.parcels.jdbc().update("update seat set fencing_token = 9000001 where hall = 1");
		this.parcels.under(8, () -> assertStale(Rejection.Guard.ROW, () -> upsert(1, 2, "ann")));
		// As with several partitions, or after the issuer was reset
		this.parcels.under(8, LockRequest.of("hall").key(2), () -> upsert(2, 1, "bob"));
		assertThat(seats()).containsExactly("1 2 old 5 9000001", "2 1 bob 1 8000001");
	}

	@Test
	void conditionOfTheUpdateIsKept() {
		// MariaDB has no WHERE there
		String sql = (this.database == TestDatabase.MARIADB) ? """
				insert into seat (hall, no, guest) values (?, ?, ?) on duplicate key update \
				guest = if(hits > ? or guest = ?, values(guest), guest)""" : """
				insert into seat (hall, no, guest) values (?, ?, ?) on conflict (hall, no) do update \
				set guest = excluded.guest where seat.hits > ? or seat.guest = ?""";
		this.parcels.under(7, () -> {
			this.fencedJdbc.update(sql, 1, 2, "ann", 9, "nobody");
			assertThat(seats()).first().asString().startsWith("1 2 old");
			this.fencedJdbc.update(sql, 1, 2, "bob", 9, "old");
		});
		this.parcels.jdbc().update("update seat set fencing_token = 9000001 where hall = 1");
		this.parcels.under(8, () -> {
			assertStale(Rejection.Guard.ROW, () -> this.fencedJdbc.update(sql, 1, 2, "zoe", 4, "nobody"));
			assertStale(Rejection.Guard.ROW, () -> this.fencedJdbc.update(sql, 1, 2, "zoe", 9, "bob"));
		});
		assertThat(seats()).first().isEqualTo("1 2 bob 5 9000001");
	}

	private void upsert(int hall, int number, String guest) {
		assertThat(this.fencedJdbc.update(sql(), hall, number, guest)).isPositive();
	}

	private String sql() {
		return (this.database == TestDatabase.MARIADB) ? """
				INSERT INTO seat(hall,no,guest) values (?, ?, ?) ON DUPLICATE KEY UPDATE \
				guest=values(guest), hits=seat.hits+1""" : """
				INSERT INTO seat(hall,no,guest) values (?, ?, ?) ON CONFLICT (hall,no) DO UPDATE SET \
				guest=EXCLUDED.guest, hits=seat.hits+1 RETURNING no""";
	}

	private static void assertStale(Rejection.Guard guard, Runnable write) {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(write::run)
			.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(guard));
	}

	private List<String> seats() {
		return this.parcels.jdbc()
			.query("select * from seat order by hall, no", (row, number) -> "%s %s %s %s %s".formatted(row.getString(1),
					row.getString(2), row.getString(3), row.getString(4), row.getString(5)));
	}

}
