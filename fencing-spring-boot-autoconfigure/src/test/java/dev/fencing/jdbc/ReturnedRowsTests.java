package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.dao.TypeMismatchDataAccessException;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.support.rowset.SqlRowSet;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.FencedJdbcClient.StatementSpec;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Statements that write rows and return them, in both styles.
 */
class ReturnedRowsTests {

	private static final String UPDATE = """
			update parcel set state = :state where id in (:ids) returning id, state, prio""";

	private static final String IDS = "update parcel set state = 'X' where prio > ? returning id";

	private static final RowMapper<String> MAPPER = (row, number) -> row.getInt("id") + row.getString("state");

	private static final SqlParameterSource NONE_MATCHING = values(99);

	private static final SqlParameterSource ONE = values(2);

	private static final SqlParameterSource BOTH = values(2, 3);

	private static ParcelFixture parcels;

	private final FencedNamedParameterJdbcTemplate template = new FencedNamedParameterJdbcTemplate(
			parcels.fencedJdbc());

	private final FencedJdbcClient client = FencedJdbcClient.create(parcels.fencedJdbc());

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
	void templateHandsRowsToCallbacks() {
		List<String> seen = new ArrayList<>();
		RowCallbackHandler handler = (row) -> seen.add(MAPPER.mapRow(row, 0));
		ResultSetExtractor<Integer> extractor = (rows) -> {
			int sum = 0;
			while (rows.next()) {
				sum += rows.getInt("prio");
			}
			return sum;
		};
		String plain = "update parcel set state = 'P' where prio = 10 returning id, state, prio";
		parcels.under(7, () -> {
			assertThat(this.template.query(UPDATE, BOTH, extractor)).isEqualTo(50);
			assertThat(this.template.query(UPDATE, map(BOTH), extractor)).isEqualTo(50);
			assertThat(this.template.query(plain, extractor)).isEqualTo(10);
			assertThat(this.template.query(UPDATE, BOTH, MAPPER)).containsExactlyInAnyOrder("2X", "3X");
			assertThat(this.template.query(UPDATE, map(ONE), MAPPER)).containsExactly("2X");
			assertThat(this.template.query(plain, MAPPER)).containsExactly("1P");
			this.template.query(UPDATE, BOTH, handler);
			this.template.query(UPDATE, map(ONE), handler);
			this.template.query(plain, handler);
		});
		assertThat(seen).containsExactlyInAnyOrder("2X", "3X", "2X", "1P");
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.stamp(3)).isEqualTo(7);
	}

	@Test
	void templateReturnsValuesAndMaps() {
		String ids = "update parcel set state = :state where id in (:ids) returning id";
		parcels.under(7, () -> {
			assertThat(this.template.queryForObject(UPDATE, ONE, MAPPER)).isEqualTo("2X");
			assertThat(this.template.queryForObject(UPDATE, map(ONE), MAPPER)).isEqualTo("2X");
			assertThat(this.template.queryForObject(ids, ONE, Long.class)).isEqualTo(2L);
			assertThat(this.template.queryForObject(ids, map(ONE), String.class)).isEqualTo("2");
			assertThat(this.template.queryForList(ids, BOTH, Integer.class)).containsExactlyInAnyOrder(2, 3);
			assertThat(this.template.queryForList(ids, map(NONE_MATCHING), Integer.class)).isEmpty();
			assertThat(this.template.queryForMap(UPDATE, ONE)).isEqualTo(Map.of("id", 2, "state", "X", "prio", 20));
			assertThat(this.template.queryForMap(UPDATE, map(ONE))).containsEntry("id", 2);
			assertThat(this.template.queryForList(UPDATE, BOTH)).hasSize(2)
				.allSatisfy((row) -> assertThat(row).containsEntry("state", "X"));
			assertThat(this.template.queryForList(UPDATE, map(ONE))).hasSize(1);
		});
	}

	@Test
	void templateWantsExactlyOneRowWhereOneIsAskedFor() {
		parcels.under(7, () -> {
			for (SqlParameterSource values : List.of(BOTH, NONE_MATCHING)) {
				Class<? extends IncorrectResultSizeDataAccessException> error = (values == BOTH)
						? IncorrectResultSizeDataAccessException.class : EmptyResultDataAccessException.class;
				assertThatExceptionOfType(error).isThrownBy(() -> this.template.queryForMap(UPDATE, values));
				assertThatExceptionOfType(error).isThrownBy(() -> this.template.queryForObject(UPDATE, values, MAPPER));
				assertThatExceptionOfType(error).isThrownBy(() -> this.template
					.queryForObject("update parcel set prio = 1 where id in (:ids) returning id", values, Long.class));
			}
			assertThat(this.template.queryForObject("update parcel set state = null where id = 1 returning state",
					Map.of(), String.class))
				.isNull();
		});
	}

	@Test
	void clientReturnsObjects() {
		StatementSpec two = this.client.sql(UPDATE).paramSource(BOTH);
		StatementSpec one = this.client.sql(UPDATE).paramSource(ONE);
		parcels.under(7, () -> {
			assertThat(two.query(MAPPER).list()).containsExactlyInAnyOrder("2X", "3X");
			assertThat(two.query(MAPPER).set()).containsExactlyInAnyOrder("2X", "3X");
			assertThat(two.query(MAPPER).stream()).containsExactlyInAnyOrder("2X", "3X");
			assertThat(one.query(MAPPER).single()).isEqualTo("2X");
			assertThat(one.query(MAPPER).optional()).contains("2X");
			assertThat(one.query(Parcel.class).single()).isEqualTo(new Parcel(2, "X", 20));
			assertThat(this.client.sql(IDS).param(15).query(Long.class).list()).containsExactlyInAnyOrder(2L, 3L);
			assertThat(this.client.sql(IDS).param(99).query(Long.class).optional()).isEmpty();
		});
		assertThat(parcels.stamp(1)).isZero();
		assertThat(parcels.stamp(3)).isEqualTo(7);
	}

	@Test
	void clientReturnsRowsAndColumns() {
		StatementSpec two = this.client.sql(UPDATE).paramSource(BOTH);
		StatementSpec one = this.client.sql(UPDATE).paramSource(ONE);
		List<Integer> seen = new ArrayList<>();
		parcels.under(7, () -> {
			assertThat(two.query().listOfRows()).hasSize(2);
			assertThat(one.query().singleRow()).isEqualTo(Map.of("id", 2, "state", "X", "prio", 20));
			SqlRowSet rows = one.query().rowSet();
			assertThat(rows.next()).isTrue();
			assertThat(rows.getString("state")).isEqualTo("X");
			assertThat(this.client.sql(IDS).param(15).query().singleColumn()).containsExactlyInAnyOrder(2, 3);
			assertThat(this.client.sql(IDS).param(25).query().singleValue()).isEqualTo(3);
			assertThat(this.client.sql(IDS).param(25).query().optionalValue()).contains(3);
			assertThat(this.client.sql(IDS).param(99).query().optionalValue()).isEmpty();
			two.query((RowCallbackHandler) (row) -> seen.add(row.getInt("id")));
			assertThat(two.query((ResultSetExtractor<Boolean>) (result) -> result.next())).isTrue();
			assertThat(two.query((ResultSetExtractor<Boolean>) (result) -> null)).isNull();
		});
		assertThat(seen).containsExactlyInAnyOrder(2, 3);
	}

	@Test
	void clientWantsExactlyOneRowWhereOneIsAskedFor() {
		StatementSpec two = this.client.sql(IDS).param(15);
		StatementSpec none = this.client.sql(IDS).param(99);
		parcels.under(7, () -> {
			assertThatExceptionOfType(IncorrectResultSizeDataAccessException.class)
				.isThrownBy(() -> two.query().singleValue());
			assertThatExceptionOfType(IncorrectResultSizeDataAccessException.class)
				.isThrownBy(() -> two.query(Long.class).optional());
			assertThatExceptionOfType(EmptyResultDataAccessException.class).isThrownBy(() -> none.query().singleRow());
			assertThatExceptionOfType(EmptyResultDataAccessException.class)
				.isThrownBy(() -> none.query(Long.class).single());
			assertThatExceptionOfType(TypeMismatchDataAccessException.class)
				.isThrownBy(() -> this.client.sql("update parcel set state = null where id = 1 returning state")
					.query(String.class)
					.single());
		});
	}

	@Test
	void staleIsStaleAndNotAnEmptyResult() {
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(8, () -> {
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.template.queryForObject(UPDATE, ONE, MAPPER));
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.client.sql(UPDATE).paramSource(BOTH).query(MAPPER).list());
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.client.sql(UPDATE).paramSource(ONE).query().rowSet());
		});
		assertThat(parcels.jdbc().queryForList("select state from parcel", String.class)).containsOnly("NEW");
		assertThat(parcels.rejections()).hasSize(3);
	}

	@Test
	void rowsOfInsertAndDeleteAreReturnedByMariaDbToo() {
		try (ParcelFixture mariaDb = new ParcelFixture(TestDatabase.MARIADB, true)) {
			FencedJdbcTemplate fencedJdbc = mariaDb.fencedJdbc();
			mariaDb.under(7, () -> {
				assertThat(new FencedNamedParameterJdbcTemplate(fencedJdbc).queryForObject(
						"insert into parcel (id, state) values (:id, :state) returning state",
						Map.of("id", 4, "state", "FOUR"), String.class))
					.isEqualTo("FOUR");
				assertThat(FencedJdbcClient.create(fencedJdbc)
					.sql("delete from parcel where id in (:ids) returning id")
					.param("ids", List.of(1, 4))
					.query(Integer.class)
					.list()).containsExactlyInAnyOrder(1, 4);
			});
			assertThat(mariaDb.jdbc().queryForList("select id from parcel order by id", Integer.class))
				.containsExactly(2, 3);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "select id from parcel", "update parcel set state = 'X'" })
	void whatDoesNotWriteAndReturnRowsIsRefused(String sql) {
		parcels.under(7, () -> {
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.template.queryForList(sql, Map.of()));
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.client.sql(sql).query(Long.class).list());
		});
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	private static SqlParameterSource values(Integer... ids) {
		return new MapSqlParameterSource("ids", List.of(ids)).addValue("state", "X");
	}

	private static Map<String, Object> map(SqlParameterSource source) {
		return ((MapSqlParameterSource) source).getValues();
	}

	private record Parcel(int id, String state, int prio) {
	}

}
