package dev.fencing.jdbc;

import java.sql.Types;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;

import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.FencedJdbcClient.StatementSpec;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link FencedJdbcClient} on real databases.
 */
class FencedJdbcClientTests extends AbstractParcelTests {

	private static final String POSITIONAL = "update parcel set state = ?, prio = ? where id = ?";

	private static final String NAMED = "update parcel set state = :state, prio = :prio where id = :id";

	private final FencedJdbcClient client = FencedJdbcClient.create(parcels.fencedJdbc());

	private final TestDatabase database;

	FencedJdbcClientTests(TestDatabase database) {
		this.database = database;
	}

	@Test
	void ownerWritesAndAnOlderOneIsRefused() {
		parcels.under(6, () -> {
			parcels.elsewhere(7,
					() -> assertThat(
							this.client.sql("update parcel set state = ? where id = ?").params("SENT", 1).update())
						.isOne());
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.client.sql("update parcel set state = 'LOST' where id = 1").update());
		});
		assertThat(parcels.state(1)).isEqualTo("SENT");
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.rejections()).hasSize(1);
	}

	@Test
	void positionalParametersAreGivenInManyWays() {
		parcels.under(7, () -> {
			assertWrites(this.client.sql(POSITIONAL).param("A").param(1).param(2), "A", 1);
			assertWrites(this.client.sql(POSITIONAL).param(3, 2).param(1, "B").param(2, "2", Types.INTEGER), "B", 2);
			assertWrites(this.client.sql(POSITIONAL).params("C", 3, 2), "C", 3);
			assertWrites(this.client.sql(POSITIONAL).params(List.of("D", 4)).param(2), "D", 4);
			assertWrites(this.client.sql(POSITIONAL).param("X").param(5).param(2).param(1, "E"), "E", 5);
			assertWrites(this.client.sql(POSITIONAL).params(null, 6, 2), null, 6);
			assertWrites(this.client.sql(POSITIONAL).params(Arrays.asList(null, 7, 2)), null, 7);
			assertWrites(this.client.sql(POSITIONAL).param(null).param(8).param(2), null, 8);
		});
		assertThat(parcels.stamp(2)).isEqualTo(7);
	}

	@Test
	void namedParametersAreGivenInManyWays() {
		parcels.under(7, () -> {
			assertWrites(this.client.sql(NAMED).param("state", "A").param("id", 2).param("prio", "1", Types.INTEGER),
					"A", 1);
			assertWrites(this.client.sql(NAMED).params(Map.of("state", "B", "id", 2)).param("prio", 2), "B", 2);
			assertWrites(this.client.sql(NAMED).paramSource(Map.of("state", "C", "id", 2, "prio", 3)), "C", 3);
			assertWrites(
					this.client.sql(NAMED)
						.paramSource(new MapSqlParameterSource("state", "D").addValue("id", 2).addValue("prio", 4)),
					"D", 4);
			assertWrites(this.client.sql(NAMED).paramSource(new Parcel(2, "E", 5)), "E", 5);
			assertWrites(this.client.sql(NAMED).param("state", null).param("id", 2).param("prio", 6), null, 6);
		});
		assertThat(parcels.stamp(2)).isEqualTo(7);
	}

	private void assertWrites(StatementSpec statement, String state, int prio) {
		assertThat(statement.update()).isOne();
		assertThat(parcels.state(2)).isEqualTo(state);
		assertThat(parcels.jdbc().queryForObject("select prio from parcel where id = 2", Integer.class))
			.isEqualTo(prio);
	}

	@Test
	void namedListIsExpanded() {
		parcels.under(7,
				() -> assertThat(this.client.sql("update parcel set state = :state where id in (:ids)")
					.param("ids", List.of(1, 3, 99))
					.param("state", "X")
					.update()).isEqualTo(2));
		assertThat(parcels.jdbc().queryForList("select state from parcel order by id", String.class))
			.containsExactly("X", "NEW", "X");
	}

	@Test
	void positionalListIsRefused() {
		StatementSpec statement = this.client.sql("update parcel set state = 'X' where id in (?)");
		assertThatIllegalArgumentException().isThrownBy(() -> statement.param(List.of(1, 2)));
		assertThatIllegalArgumentException().isThrownBy(() -> statement.param(1, List.of(1, 2)));
		assertThatIllegalArgumentException().isThrownBy(() -> statement.param(1, List.of(1, 2), Types.INTEGER));
	}

	@Test
	void parametersArePositionalOrNamed() {
		parcels.under(7, () -> {
			assertRefused(this.client.sql(NAMED).param("X").param("state", "X"));
			assertRefused(this.client.sql(NAMED).param("X").paramSource(Map.of("state", "X")));
			assertRefused(this.client.sql(NAMED).param("state", "X").paramSource(Map.of("id", 1)));
		});
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	private void assertRefused(StatementSpec statement) {
		assertThatIllegalStateException().isThrownBy(statement::update);
		assertThatIllegalStateException().isThrownBy(statement::query);
		assertThatIllegalStateException().isThrownBy(() -> statement.query(String.class));
		assertThatIllegalStateException().isThrownBy(() -> statement.update(new GeneratedKeyHolder(), "id"));
	}

	@Test
	void whatDoesNotFitIsRefused() {
		parcels.under(7, () -> {
			assertThatIllegalArgumentException().isThrownBy(() -> this.client.sql(POSITIONAL).param(0, "X"));
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.client.sql(POSITIONAL).params("X", 1).update());
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.client.sql(POSITIONAL).params("X", 1, 1, 1).update());
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.client.sql(NAMED).param("state", "X").param("id", 1).update());
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.client.sql(NAMED).update());
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.client.sql("truncate table parcel").update());
		});
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void statementIsExecutedByOneOwnerAfterAnother() {
		Map<String, Object> values = new HashMap<>(Map.of("state", "X", "prio", 1, "id", 1));
		StatementSpec named = this.client.sql(NAMED).params(values);
		StatementSpec positional = this.client.sql(POSITIONAL).params("Y", 2, 2);
		for (int generation : new int[] { 7, 8 }) {
			parcels.under(generation, () -> {
				assertThat(named.update()).isOne();
				assertThat(positional.update()).isOne();
			});
			assertThat(parcels.stamp(1)).isEqualTo(generation);
			assertThat(parcels.stamp(2)).isEqualTo(generation);
		}
		assertThat(values).isEqualTo(Map.of("state", "X", "prio", 1, "id", 1));
	}

	@Test
	void ownGuardIsGivenTheToken() {
		parcels.under(7, () -> {
			assertThat(this.client
				.sql("""
						update parcel set state = :state, fencing_token = :fencingToken where fencing_token < :fencingToken \
						and id = :id""")
				.param("id", 1)
				.param("state", "NAMED")
				.update()).isOne();
			assertThat(this.client.sql("""
					update parcel set state = ?, fencing_token = :fencingToken where fencing_token < :fencingToken \
					and id = ?""").params("POSITIONAL", 2).update()).isOne();
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.client.sql("update parcel set fencing_token = :fencingToken where id = 3")
					.param("fencingToken", 99_000_000)
					.update());
		});
		assertThat(parcels.jdbc().queryForList("select state from parcel order by id", String.class))
			.containsExactly("NAMED", "POSITIONAL", "NEW");
		assertThat(parcels.jdbc().queryForList("select fencing_token from parcel order by id", Long.class))
			.containsExactly(7_000_001L, 7_000_002L, 0L);
	}

	@Test
	void severalLeasesNeedToBeTold() {
		assertThatExceptionOfType(NoFencedLeaseException.class)
			.isThrownBy(() -> this.client.sql("delete from parcel").update());
		parcels.under(7, () -> parcels.under(8, LockRequest.of("customer").key(3), () -> {
			assertThatExceptionOfType(NoFencedLeaseException.class)
				.isThrownBy(() -> this.client.sql("delete from parcel").update());
			this.client.on("depot", 1).sql(POSITIONAL).params("X", 1, 1).update();
			this.client.on("customer", 3).sql(POSITIONAL).params("Y", 1, 2).update();
		}));
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.stamp(2)).isEqualTo(8);
	}

	@Test
	void generatedKeysAreReturned() {
		NumberedTable.create(parcels.jdbc(), this.database);
		GeneratedKeyHolder named = new GeneratedKeyHolder();
		GeneratedKeyHolder unnamed = new GeneratedKeyHolder();
		parcels.under(7, () -> {
			assertThat(this.client.sql("insert into numbered (state) values (:state)")
				.param("state", "A")
				.update(named, "no")).isOne();
			assertThat(this.client.sql("insert into numbered (state) values (?)").param("B").update(unnamed)).isOne();
		});
		assertThat(named.getKey()).hasToString("1");
		assertThat(unnamed.getKeyList()).singleElement()
			.satisfies((row) -> assertThat(row.values()).map(String::valueOf).contains("2"));
		assertThat(parcels.jdbc()
			.queryForList("select state from numbered where fencing_token > 7000000 order by no", String.class))
			.containsExactly("A", "B");
	}

	private record Parcel(int id, String state, int prio) {
	}

}
