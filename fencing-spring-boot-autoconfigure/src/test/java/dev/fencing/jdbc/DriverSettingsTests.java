package dev.fencing.jdbc;

import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.MariaDbTestServer;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Counts mean different things with different settings of the drivers; what is stale does
 * not.
 */
@ParameterizedClass
@EnumSource
class DriverSettingsTests {

	private static final String UPDATE = "update parcel set state = ? where id = ?";

	private final Driver driver;

	private final ParcelFixture parcels;

	private final FencedJdbcTemplate fencedJdbc;

	private final String upsert;

	DriverSettingsTests(Driver driver) {
		this.driver = driver;
		this.parcels = new ParcelFixture(driver.database, true);
		this.fencedJdbc = this.parcels.fencedJdbc(dataSource());
		this.upsert = "insert into parcel (id, state) values (?, ?) " + ((driver.database == TestDatabase.POSTGRESQL)
				? "on conflict (id) do update set state = excluded.state"
				: "on duplicate key update state = values(state)");
	}

	private DriverManagerDataSource dataSource() {
		String url = this.parcels.stack().pool().getJdbcUrl();
		if (this.driver.settings.startsWith("mysql")) {
			url = url.replace("jdbc:mariadb:", "jdbc:mysql:");
		}
		String user = (this.driver.database == TestDatabase.POSTGRESQL) ? "postgres" : MariaDbTestServer.USER;
		return new DriverManagerDataSource(url + this.driver.settings.replace("mysql", ""), user, user);
	}

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void freshBatchOfUpsertsIsAccepted() {
		this.parcels.under(7, () -> {
			this.fencedJdbc.batchUpdate(this.upsert, items(1, 5));
			this.fencedJdbc.batchUpdate(this.upsert, items(3, 8));
		});
		for (int id = 1; id <= 8; id++) {
			assertThat(this.parcels.state(id)).isEqualTo("S" + id);
			assertThat(this.parcels.stamp(id)).isEqualTo(7);
		}
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void oneStaleItemOfABatchOfUpsertsRollsAllOfThemBack() {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 3");
		assertRefused(8, () -> this.fencedJdbc.batchUpdate(this.upsert, items(1, 5)));
		assertThat(this.parcels.jdbc().queryForObject("select count(*) from parcel", Integer.class)).isEqualTo(3);
	}

	@Test
	void oneStaleItemOfABatchOfUpdatesRollsAllOfThemBack() {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		assertRefused(8, () -> this.fencedJdbc.batchUpdate(UPDATE, updates(1, 3)));
	}

	@Test
	void oneStaleItemOfABatchOfDeletesRollsAllOfThemBack() {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		assertRefused(8, () -> this.fencedJdbc.batchUpdate("delete from parcel where id = ?",
				List.of(new Object[] { 1 }, new Object[] { 2 })));
	}

	@Test
	void itemsOfABatchThatWriteTheSameRowAreAccepted() {
		this.parcels.under(7, () -> {
			this.fencedJdbc.batchUpdate(UPDATE, List.of(new Object[] { "A", 1 }, new Object[] { "B", 1 },
					new Object[] { "C", 1 }, new Object[] { "X", 99 }));
			for (int i = 0; i < 2; i++) {
				this.fencedJdbc.batchUpdate("update parcel set state = ? where state = ?",
						List.of(new Object[] { "D", "C" }, new Object[] { "E", "D" }, new Object[] { "C", "E" }));
			}
		});
		assertThat(this.parcels.state(1)).isEqualTo("C");
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void freshBatchOfInsertsIsStamped() {
		this.parcels.under(7,
				() -> this.fencedJdbc.batchUpdate("insert into parcel (id, state) values (?, ?)", items(4, 40)));
		assertThat(this.parcels.jdbc()
			.queryForObject("select count(distinct fencing_token) from parcel where fencing_token > 7000000",
					Integer.class))
			.isEqualTo(37);
	}

	@Test
	void sameValuesWrittenAgainAreNoRejection() {
		this.parcels.under(7, () -> {
			for (int i = 0; i < 2; i++) {
				assertThat(this.fencedJdbc.update(UPDATE, "A", 1)).isEqualTo(1);
				assertThat(this.fencedJdbc.update("update parcel set depot = 5 where depot = 5")).isEqualTo(3);
				assertThat(this.fencedJdbc.update(this.upsert, 2, "NEW")).isPositive();
			}
		});
		assertThat(this.parcels.rejections()).isEmpty();
		assertThat(this.parcels.stamp(1)).isEqualTo(7);
	}

	@Test
	void staleOwnerThatWritesTheValuesThatAreThereIsRefused() {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000000");
		assertRefused(6, () -> this.fencedJdbc.update(UPDATE, "NEW", 1));
		assertRefused(7, () -> this.fencedJdbc.update(this.upsert, 1, "NEW"));
		assertRefused(8, () -> this.fencedJdbc.update("update parcel set depot = 5 where depot = 5"));
	}

	@Test
	void twoStatementsInOneStringAreRefused() {
		this.parcels.under(7, () -> assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(
				() -> this.fencedJdbc.update("update parcel set state = ? where id = ?; delete from parcel", "X", 1)));
		assertThat(this.parcels.stamp(1)).isZero();
	}

	private void assertRefused(long generation, Runnable statement) {
		List<@Nullable String> before = states();
		this.parcels.rejections().clear();
		this.parcels.under(generation,
				() -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(statement::run));
		assertThat(this.parcels.rejections()).singleElement()
			.satisfies((rejection) -> assertThat(rejection.guard()).isEqualTo(Rejection.Guard.ROW));
		assertThat(states()).isEqualTo(before);
	}

	private List<@Nullable String> states() {
		return this.parcels.jdbc()
			.queryForList("select concat(id, state, fencing_token) from parcel order by id", String.class);
	}

	private static List<Object[]> items(int from, int to) {
		return IntStream.rangeClosed(from, to).mapToObj((id) -> new Object[] { id, "S" + id }).toList();
	}

	private static List<Object[]> updates(int from, int to) {
		return IntStream.rangeClosed(from, to).mapToObj((id) -> new Object[] { "S" + id, id }).toList();
	}

	/**
	 * Drivers with settings that change what counts mean.
	 */
	enum Driver {

		POSTGRESQL(TestDatabase.POSTGRESQL, ""),

		POSTGRESQL_REWRITING_INSERTS(TestDatabase.POSTGRESQL, "?reWriteBatchedInserts=true"),

		POSTGRESQL_SIMPLE_PROTOCOL(TestDatabase.POSTGRESQL, "?preferQueryMode=simple"),

		MARIADB(TestDatabase.MARIADB, ""),

		MARIADB_COUNTING_CHANGES(TestDatabase.MARIADB, "?useAffectedRows=true"),

		MARIADB_WITH_BULKS(TestDatabase.MARIADB, "?useBulkStmts=true&useServerPrepStmts=true"),

		MARIADB_WITH_BULKS_COUNTING_CHANGES(TestDatabase.MARIADB, "?useBulkStmts=true&useAffectedRows=true"),

		CONNECTOR_J(TestDatabase.MARIADB, "mysql?"),

		CONNECTOR_J_REWRITING_BATCHES(TestDatabase.MARIADB,
				"mysql?rewriteBatchedStatements=true&allowMultiQueries=true"),

		CONNECTOR_J_COUNTING_CHANGES(TestDatabase.MARIADB, "mysql?useAffectedRows=true&rewriteBatchedStatements=true"),

		CONNECTOR_J_WITH_SERVER_STATEMENTS(TestDatabase.MARIADB, "mysql?useServerPrepStmts=true&cachePrepStmts=true");

		private final TestDatabase database;

		private final String settings;

		Driver(TestDatabase database, String settings) {
			this.database = database;
			this.settings = settings;
		}

	}

}
