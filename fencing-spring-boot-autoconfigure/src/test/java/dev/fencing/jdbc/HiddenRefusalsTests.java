package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.Date;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Rows that a statement of PostgreSQL was refused, and that are not found as easily as by
 * asking its condition again.
 */
class HiddenRefusalsTests {

	private final ParcelFixture parcels = new ParcelFixture(TestDatabase.POSTGRESQL, true);

	private final FencedJdbcTemplate fencedJdbc = this.parcels.fencedJdbc();

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "update parcel p set state = 'SENT' from parcel q where q.id = p.depot and q.state = 'NEW'",
					"delete from parcel p using parcel q where q.id = p.depot" })
	void statementThatJoinsItsTargetWithItself(String sql) {
		this.parcels.jdbc().update("update parcel set depot = 1");
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		this.parcels.under(8, () -> assertStale(() -> this.fencedJdbc.update(sql)));
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
		assertThat(this.parcels.rejections()).hasSize(1);
	}

	@Test
	void rowThatIsTakenWhileTheStatementWaits() throws Exception {
		this.parcels.jdbc().execute("create table depot (id int primary key)");
		this.parcels.jdbc().execute("insert into depot values (1)");
		this.parcels.jdbc().execute("update parcel set depot = 1 where id = 1");
		CompletableFuture<Void> statement;
		try (Connection other = this.parcels.stack().pool().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("update parcel set state = 'OTHER', fencing_token = 9000001 where id = 1");
			statement = CompletableFuture.runAsync(() -> this.parcels.under(8, () -> assertStale(() -> this.fencedJdbc
				.update("update parcel set state = 'LOST' where depot in (select id from depot)"))));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.parcels.jdbc()
					.queryForObject("select count(*) from pg_stat_activity where wait_event_type = 'Lock'",
							Integer.class) == 1);
			other.commit();
		}
		statement.get(20, TimeUnit.SECONDS);
		assertThat(this.parcels.state(1)).isEqualTo("OTHER");
		assertThat(this.parcels.rejections()).hasSize(1);
	}

	@Test
	void rowOfATableThatInheritsFromTheTarget() {
		this.parcels.jdbc().execute("create table child () inherits (parcel)");
		this.parcels.jdbc().update("insert into child (id, state, fencing_token) values (1, 'CHILD', 9000000)");
		this.parcels.under(8,
				() -> assertStale(() -> this.fencedJdbc.update("update parcel set state = 'S' where id = 1")));
		assertThat(this.parcels.jdbc().queryForList("select state from parcel where id = 1", String.class))
			.containsExactlyInAnyOrder("NEW", "CHILD");
		this.parcels.jdbc().execute("drop table child");
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"insert into config (tenant, k, v) values (null, 'a', 'LOST') "
					+ "on conflict (tenant, k) do update set v = excluded.v",
			"insert into config (tenant, k, v) values (nextval('next_tenant'), 'a', 'LOST') "
					+ "on conflict (tenant, k) do update set v = excluded.v" })
	void rowThatTheValuesOfAnUpsertDoNotFind(String sql) {
		this.parcels.jdbc().execute("""
				create table config (tenant int, k text, v text, fencing_token bigint not null default 0, \
				unique nulls not distinct (tenant, k))""");
		this.parcels.jdbc().execute("create sequence next_tenant");
		this.parcels.jdbc()
			.execute("insert into config values (null, 'a', 'KEPT', 9000000), (1, 'a', 'KEPT', 9000000)");
		this.parcels.under(8, () -> {
			assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> this.fencedJdbc.update(sql))
				.withMessageContaining("Bind fixed values");
		});
		assertThat(this.parcels.jdbc().queryForList("select v from config", String.class)).containsOnly("KEPT");
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void upsertOfAQueryWhoseValuesGetTheirTypesFromTheTarget() throws SQLException {
		this.parcels.jdbc().execute("""
				create table daily (day date, note varchar(40), state varchar(9), \
				fencing_token bigint not null default 0)""");
		this.parcels.jdbc().execute("create unique index on daily (day) where state = 'NEW'");
		String sql = """
				insert into daily (day, note, state) select ?, parcel.state, 'NEW' from parcel where id = ? \
				on conflict (day) where state = 'NEW' do update set note = excluded.note""";
		Date day = Date.valueOf("2024-02-29");
		this.parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(sql, day, 1)).isEqualTo(1);
			assertThat(this.fencedJdbc.update(sql, day, 2)).isEqualTo(1);
		});
		this.parcels.jdbc().update("update daily set fencing_token = 9000000");
		this.parcels.under(8, () -> assertStale(() -> this.fencedJdbc.update(sql, day, 3)));
		assertThat(this.parcels.rejections()).hasSize(1);
		this.parcels.jdbc().execute("drop table daily");
	}

	private static void assertStale(Runnable statement) {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(statement::run);
	}

}
