package dev.fencing.jdbc;

import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.namedparam.BeanPropertySqlParameterSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;

import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FencedNamedParameterJdbcTemplate} on real databases.
 */
class FencedNamedParameterJdbcTemplateTests extends AbstractParcelTests {

	private static final String UPDATE = "update parcel set state = :state where id = :id";

	private final FencedNamedParameterJdbcTemplate fencedJdbc = new FencedNamedParameterJdbcTemplate(
			parcels.fencedJdbc());

	private final TestDatabase database;

	FencedNamedParameterJdbcTemplateTests(TestDatabase database) {
		this.database = database;
	}

	@Test
	void ownerWritesAndAnOlderOneIsRefused() {
		parcels.under(6, () -> {
			parcels.elsewhere(7,
					() -> assertThat(this.fencedJdbc.update(UPDATE, Map.of("state", "SENT", "id", 1))).isOne());
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, Map.of("state", "LOST", "id", 1)));
		});
		parcels.under(8, () -> assertThat(this.fencedJdbc.update(UPDATE, Map.of("state", "LOST", "id", 99))).isZero());
		assertThat(parcels.state(1)).isEqualTo("SENT");
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.rejections()).hasSize(1);
	}

	@Test
	void valuesArriveWhereTheirNamesAre() {
		MapSqlParameterSource values = new MapSqlParameterSource().addValue("id", 11)
			.addValue("state", "a")
			.addValue("depot", "12", Types.INTEGER)
			.addValue("prio", 13);
		parcels.under(7, () -> {
			this.fencedJdbc.update("insert into parcel (prio, state, depot, id) values (:prio, :state, :depot, :id)",
					values);
			this.fencedJdbc.update("""
					update parcel set state = :after, depot = depot + :more where state = :before and depot <> :more \
					and prio = :prio -- :none""", Map.of("after", "b", "before", "a", "more", 5, "prio", 13));
		});
		assertThat(parcels.jdbc().queryForMap("select * from parcel where id = 11").values()).containsExactly(11, "b",
				17, 13, 7_000_002L);
	}

	@Test
	void propertiesOfABeanAreValues() {
		parcels.under(7, () -> this.fencedJdbc.update("update parcel set state = :name where id = :number",
				new BeanPropertySqlParameterSource(new Label(2, "BEAN"))));
		assertThat(parcels.state(2)).isEqualTo("BEAN");
	}

	@Test
	void nullIsAValue() {
		Map<String, Object> values = new HashMap<>();
		values.put("state", null);
		values.put("id", 1);
		parcels.under(7, () -> this.fencedJdbc.update(UPDATE, values));
		assertThat(parcels.state(1)).isNull();
		parcels.under(8, () -> this.fencedJdbc.update(UPDATE,
				new MapSqlParameterSource("id", 2).addValue("state", null, Types.VARCHAR)));
		assertThat(parcels.state(2)).isNull();
	}

	@Test
	void listsOfAnyLengthAreExpanded() {
		String sql = "update parcel set state = :state where id in (:ids) and prio in (:prios)";
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(sql,
					Map.of("state", "A", "ids", List.of(1, 2, 3), "prios", List.of(20, 30))))
				.isEqualTo(2);
			assertThat(this.fencedJdbc.update(sql, Map.of("state", "B", "ids", List.of(3), "prios", List.of(10, 30))))
				.isOne();
			assertThat(this.fencedJdbc.update("delete from parcel where (depot, prio) in (:pairs) and id = :id",
					Map.of("pairs", List.of(new Object[] { 4, 10 }, new Object[] { 5, 10 }), "id", 1)))
				.isOne();
		});
		assertThat(parcels.jdbc().queryForList("select state from parcel order by id", String.class))
			.containsExactly("A", "B");
		assertThat(parcels.stamp(3)).isEqualTo(7);
	}

	@Test
	void listIsStaleIfOneOfItsRowsIs() {
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(8,
				() -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.fencedJdbc
					.update("update parcel set state = 'X' where id in (:ids)", Map.of("ids", List.of(1, 2)))));
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void namesInLiteralsAreText() {
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update("update parcel set state='ratio 3:1 ? :h' where id=:id", Map.of("id", 1)))
				.isOne();
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> this.fencedJdbc.update(
						"update parcel set depot = interval ':h hours', state = '3:1 ?' where id = :id",
						Map.of("id", 1)))
				.isNotInstanceOf(StaleGenerationException.class)
				.isNotInstanceOf(InvalidDataAccessApiUsageException.class);
		});
		assertThat(parcels.state(1)).isEqualTo("ratio 3:1 ? :h");
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void sameMapServesSeveralOwners() {
		Map<String, Object> values = new HashMap<>(Map.of("state", "X", "ids", new ArrayList<>(List.of(1, 2))));
		Map<String, Object> before = Map.of("state", "X", "ids", List.of(1, 2));
		String sql = "update parcel set state = :state where id in (:ids)";
		parcels.under(7, () -> this.fencedJdbc.update(sql, values));
		assertThat(parcels.stamp(1)).isEqualTo(7);
		parcels.under(8, () -> this.fencedJdbc.update(sql, values));
		assertThat(parcels.stamp(1)).isEqualTo(8);
		assertThat(values).isEqualTo(before);
	}

	@Test
	void ownGuardIsGivenTheToken() {
		String sql = """
				update parcel set fencing_token = :fencingToken, state = :state where id in (:ids) \
				and fencing_token < :fencingToken and depot = :depot""";
		Map<String, Object> values = Map.of("state", "OWN", "ids", List.of(1, 2), "depot", 5);
		parcels.under(7, () -> assertThat(this.fencedJdbc.update(sql, values)).isEqualTo(2));
		assertThat(parcels.state(2)).isEqualTo("OWN");
		assertThat(parcels.stamp(2)).isEqualTo(7);
		parcels.under(8, () -> {
			parcels.elsewhere(9, () -> this.fencedJdbc.update(sql, values));
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(sql, values));
		});
		assertThat(parcels.stamp(2)).isEqualTo(9);
	}

	@Test
	void valueForTheTokenIsRefused() {
		parcels.under(7, () -> assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.fencedJdbc.update("update parcel set fencing_token = :fencingToken where id = :id",
					Map.of("fencingToken", 99_000_000, "id", 1)))
			.withMessageContaining(":fencingToken"));
		assertThat(parcels.stamp(1)).isZero();
	}

	@Test
	void whatDoesNotFitIsRefused() {
		parcels.under(7, () -> {
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, Map.of("id", 1)))
				.withMessageContaining("'state'");
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class).isThrownBy(
					() -> this.fencedJdbc.update("update parcel set state = ? where id = :id", Map.of("id", 1)));
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update("update parcel set state = ?", Map.of()));
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.fencedJdbc.update("truncate table parcel", Map.of()));
		});
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void outsideALeaseNothingIsWritten() {
		assertThatExceptionOfType(NoFencedLeaseException.class)
			.isThrownBy(() -> this.fencedJdbc.update(UPDATE, Map.of("state", "X", "id", 1)));
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void severalLeasesNeedToBeTold() {
		parcels.under(7, () -> parcels.under(8, LockRequest.of("customer").key(3), () -> {
			assertThatExceptionOfType(NoFencedLeaseException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, Map.of("state", "X", "id", 1)));
			this.fencedJdbc.on("depot", 1).update(UPDATE, Map.of("state", "X", "id", 1));
			this.fencedJdbc.on("customer", 3).update(UPDATE, Map.of("state", "Y", "id", 2));
		}));
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.stamp(2)).isEqualTo(8);
	}

	@Test
	void batchMayHaveListsOfDifferentLengths() {
		String sql = "update parcel set state = :state where id in (:ids)";
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.batchUpdate(sql,
					new SqlParameterSource[] { new MapSqlParameterSource("ids", List.of(1, 2)).addValue("state", "A"),
							new MapSqlParameterSource("ids", List.of(3)).addValue("state", "B"),
							new MapSqlParameterSource("ids", List.of(1, 99)).addValue("state", "C") }))
				.containsExactly(2, 1, 1);
			assertThat(this.fencedJdbc.batchUpdate(UPDATE, maps(2, 3))).containsExactly(1, 1);
			assertThat(this.fencedJdbc.batchUpdate(UPDATE, maps())).isEmpty();
		});
		assertThat(parcels.jdbc().queryForList("select state from parcel order by id", String.class))
			.containsExactly("C", "M2", "M3");
		assertThat(parcels.jdbc().queryForList("select fencing_token from parcel order by id", Long.class))
			.containsExactly(7_000_003L, 7_000_004L, 7_000_005L);
	}

	@Test
	void batchWithAStaleItemIsRolledBackAsAWhole() {
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(8, () -> assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.fencedJdbc.batchUpdate(UPDATE, maps(1, 2, 3))));
		assertThat(parcels.jdbc().queryForList("select state from parcel", String.class)).containsOnly("NEW");
		assertThat(parcels.rejections()).hasSize(1);
	}

	@Test
	void batchWithAMissingValueIsRefusedBeforeTheFirstItem() {
		Map<String, ?>[] values = maps(1, 2);
		values[1] = Map.of("id", 2);
		parcels.under(7, () -> assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> this.fencedJdbc.batchUpdate(UPDATE, values)));
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void generatedKeysAreReturned() {
		NumberedTable.create(parcels.jdbc(), this.database);
		GeneratedKeyHolder named = new GeneratedKeyHolder();
		GeneratedKeyHolder unnamed = new GeneratedKeyHolder();
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update("insert into numbered (state) values (:state)",
					new MapSqlParameterSource("state", "A"), named, new String[] { "no" }))
				.isOne();
			assertThat(this.fencedJdbc.update("insert into numbered (state) values (:state)",
					new MapSqlParameterSource("state", "B"), unnamed))
				.isOne();
		});
		assertThat(named.getKey()).hasToString("1");
		assertThat(unnamed.getKeyList()).singleElement()
			.satisfies((row) -> assertThat(row.values()).map(String::valueOf).contains("2"));
		assertThat(parcels.jdbc()
			.queryForList("select state from numbered where fencing_token > 7000000 order by no", String.class))
			.containsExactly("A", "B");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, ?>[] maps(Integer... ids) {
		return Arrays.stream(ids).map((id) -> Map.of("state", "M" + id, "id", id)).toArray(Map[]::new);
	}

	/**
	 * A bean.
	 */
	public static class Label {

		private final int number;

		private final String name;

		Label(int number, String name) {
			this.number = number;
			this.name = name;
		}

		public int getNumber() {
			return this.number;
		}

		public String getName() {
			return this.name;
		}

	}

}
