package dev.fencing.jdbc;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.support.AbstractInterruptibleBatchPreparedStatementSetter;
import org.springframework.jdbc.support.GeneratedKeyHolder;

import dev.fencing.FencingContext;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The overloads of {@link FencedJdbcTemplate} that it shares with Spring's, on
 * PostgreSQL.
 */
class TemplateOverloadsTests {

	private static final String UPDATE = "update parcel set state = ? where id = ?";

	private static final String CLAIM = "update parcel set state = 'BUSY' where prio > ? and state = 'NEW' returning id, state";

	private static ParcelFixture parcels;

	private final FencedJdbcTemplate fencedJdbc = parcels.fencedJdbc();

	@BeforeAll
	static void open() {
		parcels = new ParcelFixture(TestDatabase.POSTGRESQL, true);
	}

	@AfterAll
	static void close() {
		parcels.close();
	}

	@BeforeEach
	void reset() {
		parcels.reset();
	}

	@Test
	void argumentsMayHaveTypes() {
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(UPDATE, new Object[] { null, "1" },
					new int[] { Types.VARCHAR, Types.INTEGER }))
				.isEqualTo(1);
			assertThat(
					this.fencedJdbc.batchUpdate(UPDATE, List.of(new Object[] { "A", "2" }, new Object[] { "B", "3" }),
							new int[] { Types.VARCHAR, Types.INTEGER }))
				.containsExactly(1, 1);
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, new Object[] { "A", 1 }, new int[] { Types.VARCHAR }));
		});
		assertThat(parcels.state(1)).isNull();
		assertThat(parcels.state(2)).isEqualTo("A");
		assertThat(parcels.state(3)).isEqualTo("B");
	}

	@Test
	void settersSetTheirOwnParametersAndOursGoBetween() {
		parcels.jdbc().execute("alter table parcel add photo bytea, add at timestamp, add note varchar(9)");
		Timestamp at = Timestamp.valueOf("2024-02-29 12:13:14");
		parcels.under(7, () -> {
			String sql = "update parcel set photo = ?, state = ?, at = ?, note = ? where prio = ? and depot < ?";
			assertThat(this.fencedJdbc.update(sql, (statement) -> {
				statement.setInt(6, 6);
				statement.setBinaryStream(1, new ByteArrayInputStream("photo".getBytes(StandardCharsets.UTF_8)));
				statement.setString(2, "S");
				statement.setTimestamp(3, at);
				statement.setNull(4, Types.VARCHAR);
				statement.setLong(5, 20);
			})).isEqualTo(1);
		});
		Map<String, Object> row = parcels.jdbc().queryForMap("select photo, state, at, note from parcel where id = 2");
		assertThat(row).containsEntry("state", "S").containsEntry("at", at).containsEntry("note", null);
		assertThat((byte[]) row.get("photo")).isEqualTo("photo".getBytes(StandardCharsets.UTF_8));
		assertThat(parcels.stamp(2)).isEqualTo(7);
		assertThat(parcels.stamp(1)).isZero();
	}

	@Test
	void setterThatDoesMoreThanSetParametersIsRefused() {
		parcels.under(7, () -> {
			assertUsageRefused((statement) -> statement.execute());
			assertUsageRefused((statement) -> statement.setQueryTimeout(1));
			assertUsageRefused((statement) -> statement.setInt(2, 1));
			assertUsageRefused((statement) -> statement.setString(0, "A"));
			assertUsageRefused(
					(statement) -> assertThat(statement).hasToString(statement.toString()).isEqualTo(statement));
			assertUsageRefused((statement) -> statement.setString(1, "A"));
		});
		assertThat(parcels.stamp(1)).isZero();
	}

	private void assertUsageRefused(PreparedStatementSetter setter) {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.fencedJdbc.update(UPDATE, setter));
	}

	@Test
	void batchEndsWhereItsSetterSaysSo() {
		parcels.under(7, () -> assertThat(
				this.fencedJdbc.batchUpdate(UPDATE, new AbstractInterruptibleBatchPreparedStatementSetter() {
					@Override
					protected boolean setValuesIfAvailable(PreparedStatement statement, int i) throws SQLException {
						if (i == 2) {
							return false;
						}
						statement.setString(1, "S" + i);
						statement.setInt(2, i + 1);
						return true;
					}
				}))
			.containsExactly(1, 1));
		assertThat(parcels.state(2)).isEqualTo("S1");
		assertThat(parcels.stamp(3)).isZero();
	}

	@Test
	void collectionIsSentInBatches() {
		parcels.under(7, () -> {
			int[][] counts = this.fencedJdbc.batchUpdate(UPDATE, List.of(1, 2, 3), 2, (statement, id) -> {
				statement.setString(1, "S" + id);
				statement.setInt(2, id);
			});
			assertThat(counts).isEqualTo(new int[][] { { 1, 1 }, { 1 } });
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.fencedJdbc.batchUpdate(UPDATE, List.of(1), 0, (statement, id) -> {
				}));
		});
		assertThat(parcels.state(3)).isEqualTo("S3");
	}

	@Test
	void severalStatementsAreAllWrittenOrNone() {
		parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		parcels.under(8, () -> {
			assertThat(this.fencedJdbc.batchUpdate("update parcel set state = 'A' where id = 1",
					"delete from parcel where id = 3"))
				.containsExactly(1, 1);
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.batchUpdate("update parcel set state = 'B' where id = 1",
						"update parcel set state = 'B' where id = 2"));
			assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> this.fencedJdbc
				.batchUpdate("update parcel set state = 'B' where id = 1", "truncate table parcel"));
		});
		assertThat(parcels.state(1)).isEqualTo("A");
	}

	@Test
	void emptyBatchSendsNothing() {
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.batchUpdate(UPDATE, List.of())).isEmpty();
			assertThat(this.fencedJdbc.batchUpdate(UPDATE, List.<Integer>of(), 5, (statement, id) -> {
			})).isEmpty();
		});
	}

	@Test
	void batchWithASubSelectIsJudgedItemByItem() {
		parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 2");
		String sql = "update parcel set state = ? where prio = (select max(prio) from parcel where prio < ?)";
		parcels.under(8, () -> {
			assertThat(this.fencedJdbc.batchUpdate(sql, List.of(new Object[] { "A", 15 }, new Object[] { "B", 99 })))
				.containsExactly(1, 1);
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.fencedJdbc.batchUpdate(sql,
					List.of(new Object[] { "C", 15 }, new Object[] { "C", 25 })));
		});
		assertThat(parcels.state(1)).isEqualTo("A");
		assertThat(parcels.state(3)).isEqualTo("B");
	}

	@Test
	void generatedKeysAreKept() {
		parcels.jdbc()
			.execute("create table plain (id serial primary key, a int, fencing_token bigint default 0 not null)");
		GeneratedKeyHolder keys = new GeneratedKeyHolder();
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update("insert into plain (a) values (?)", new Object[] { 5 }, keys,
					new String[] { "id" }))
				.isEqualTo(1);
			assertThat(keys.getKey()).isEqualTo(1);
			this.fencedJdbc.update("insert into plain (a) values (?), (?)", new Object[] { 6, 7 }, keys);
		});
		assertThat(keys.getKeyList()).extracting((row) -> row.get("id")).containsExactly(2, 3);
		assertThat(
				parcels.jdbc().queryForObject("select count(*) from plain where fencing_token > 7000000", Long.class))
			.isEqualTo(3);
	}

	@Test
	void writtenRowsAreReturnedInEveryStyle() {
		RowMapper<Integer> id = (row, number) -> row.getInt("id");
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.query(CLAIM, id, 25)).containsExactly(3);
			assertThat(this.fencedJdbc.<Integer>queryForObject(CLAIM, id, 15)).isEqualTo(2);
			assertThat(this.fencedJdbc.queryForMap(CLAIM, 5)).containsEntry("id", 1).containsEntry("state", "BUSY");
			assertThat(this.fencedJdbc.queryForList(CLAIM, 5)).isEmpty();
			String release = "update parcel set state = 'NEW' where state = 'BUSY' and id >= ? returning id";
			assertThat(this.fencedJdbc.queryForList(release, Integer.class, 3)).containsExactly(3);
			assertThat(this.fencedJdbc.queryForObject(release, Integer.class, 2)).isEqualTo(2);
			ResultSetExtractor<Integer> first = (rows) -> rows.next() ? rows.getInt(1) : -1;
			assertThat(this.fencedJdbc.<Integer>query(release, first, 1)).isEqualTo(1);
			List<Integer> seen = new ArrayList<>();
			this.fencedJdbc.query(CLAIM, (RowCallbackHandler) (row) -> seen.add(row.getInt(1)), 0);
			assertThat(seen).containsExactlyInAnyOrder(1, 2, 3);
			assertThat(this.fencedJdbc.update(release, 1)).isEqualTo(3);
		});
		assertThat(parcels.rejections()).isEmpty();
		assertThat(parcels.stamp(1)).isEqualTo(7);
	}

	@Test
	void wrongNumberOfReturnedRowsIsWhatSpringCallsIt() {
		parcels.under(7, () -> {
			assertThatExceptionOfType(EmptyResultDataAccessException.class)
				.isThrownBy(() -> this.fencedJdbc.queryForObject(CLAIM, Integer.class, 99));
			assertThatExceptionOfType(IncorrectResultSizeDataAccessException.class)
				.isThrownBy(() -> this.fencedJdbc.queryForMap(CLAIM, 0));
		});
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void staleQueryIsRefusedInEveryStyle() {
		parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 3");
		parcels.under(8, () -> {
			for (Runnable query : List.<Runnable>of(() -> this.fencedJdbc.queryForList(CLAIM, 5),
					() -> this.fencedJdbc.query(CLAIM, (RowCallbackHandler) (row) -> {
					}, 5), () -> this.fencedJdbc.queryForMap(CLAIM, 25), () -> this.fencedJdbc.update(CLAIM, 5))) {
				assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(query::run);
			}
		});
		assertThat(parcels.rejections()).hasSize(4);
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void queryWithoutRowsOrWithoutAWriteIsRefused() {
		parcels.under(7, () -> {
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.fencedJdbc.queryForList(UPDATE, "A", 1))
				.withMessageContaining("RETURNING");
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.fencedJdbc.queryForList("select * from parcel"))
				.withMessageContaining("plain JdbcTemplate");
		});
		assertThat(parcels.stamp(1)).isZero();
	}

	@Test
	void ownGuardIsBoundAndNotRewritten() {
		String sql = "update parcel set state = ?, fencing_token = :fencingToken where id = ? and fencing_token < :fencingToken";
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(sql, "A", 1)).isEqualTo(1);
			long token = FencingContext.require().nextToken();
			String drawn = sql.replace(":fencingToken", "?");
			assertThat(this.fencedJdbc.update(drawn, "B", token, 1, token)).isEqualTo(1);
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(drawn, "C", token, 1, token));
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update(drawn, "C", 9_000_000L, 1, 9_000_000L));
		});
		parcels.jdbc().update("update parcel set fencing_token = 9000000 where id = 1");
		parcels.under(8, () -> assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.fencedJdbc.update(sql, "D", 1)));
		assertThat(parcels.state(1)).isEqualTo("B");
	}

}
