package dev.fencing.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.fencing.jdbc.SampleDatabase.Effect;
import dev.fencing.jdbc.SampleDatabase.Row;
import dev.fencing.jdbc.StatementClauses.Kind;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What frameworks and people send does the same with stamp and guard in it, as long as
 * the token is fresh, and nothing to the rows that are there if it is not.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SampleStatementsTests {

	/**
	 * Greater than the token of every row.
	 */
	private static final long FRESH = 9_000_001;

	/**
	 * Less than the token of every row.
	 */
	private static final long STALE = 1_000_001;

	private final Map<TestDatabase, SampleDatabase> databases = new EnumMap<>(TestDatabase.class);

	@AfterAll
	void close() throws SQLException {
		for (SampleDatabase database : this.databases.values()) {
			Map<String, List<Row>> contents = database.contents();
			database.close();
			assertThat(contents).as("rows after the last rollback").isEqualTo(database.initial());
		}
	}

	@ParameterizedTest
	@MethodSource("samples")
	void freshTokenChangesNothingButTheStamp(SampleStatement sample) throws SQLException {
		SampleDatabase database = database(sample);
		Map<String, List<Row>> before = database.initial();
		Effect plain = database.effect(sample.sql(), sample.arguments().toArray());
		assertThat(plain.count()).as("rows that the plain statement writes").isPositive();
		GuardedStatement guarded = guard(sample);
		Effect effect = database.effect(guarded.sql(), bind(guarded, sample, FRESH));
		assertThat(values(effect.contents())).as(guarded.sql()).isEqualTo(values(plain.contents()));
		assertThat(effect.returned().stream().map(Row::values)).as(guarded.sql())
			.containsExactlyInAnyOrderElementsOf(plain.returned().stream().map(Row::values).toList());
		// ON DUPLICATE KEY counts a row once that it inserts, twice that it changes, and
		// the stamp changes every row
		boolean countsChanges = guarded.marksRefusals();
		if (!countsChanges) {
			assertThat(effect.count()).as(guarded.sql()).isEqualTo(plain.count());
		}
		int inserted = size(effect.contents()) - size(before);
		int stamped = stamped(before, effect);
		switch (guarded.kind()) {
			case DELETE -> assertThat(stamped).as(guarded.sql()).isZero();
			case UPDATE -> assertThat(stamped).as(guarded.sql()).isEqualTo(effect.count());
			case INSERT -> assertThat(countsChanges ? 2 * stamped - inserted : stamped).as(guarded.sql())
				.isEqualTo(effect.count());
		}
	}

	@ParameterizedTest
	@MethodSource("samples")
	void staleTokenChangesNoRowThatIsThere(SampleStatement sample) throws SQLException {
		SampleDatabase database = database(sample);
		Map<String, List<Row>> before = database.initial();
		GuardedStatement guarded = guard(sample);
		Effect effect = database.effect(guarded.sql(), bind(guarded, sample, STALE));
		before.forEach((table, rows) -> {
			List<Row> added = new ArrayList<>(effect.contents().get(table));
			rows.forEach((row) -> assertThat(added.remove(row)).as("%s is still there: %s", row, guarded).isTrue());
			assertThat(added).allSatisfy((row) -> assertThat(row.token()).isEqualTo(STALE));
			assertThat(added.isEmpty() || guarded.kind() == Kind.INSERT).as("%s: %s", guarded, added).isTrue();
		});
	}

	@ParameterizedTest
	@EnumSource(TestDatabase.class)
	void thereAreEnoughStatements(TestDatabase database) {
		int least = switch (database) {
			case POSTGRESQL -> 150;
			case H2 -> 70;
			case MARIADB -> 80;
		};
		List<SampleStatement> samples = SampleStatement.readAll(database);
		assertThat(samples.stream().map(SampleStatement::sql).distinct().count()).isEqualTo(samples.size())
			.isGreaterThanOrEqualTo(least);
	}

	@Test
	void thereAreEnoughStatementsInAll() {
		assertThat(samples()).hasSizeGreaterThanOrEqualTo(300);
	}

	static Stream<SampleStatement> samples() {
		return Arrays.stream(TestDatabase.values()).map(SampleStatement::readAll).flatMap(List::stream);
	}

	/**
	 * Count the rows with the token. Every other one must be as it was, so each row that
	 * is new or another carries the token.
	 */
	private static int stamped(Map<String, List<Row>> before, Effect effect) {
		int stamped = 0;
		for (Map.Entry<String, List<Row>> table : effect.contents().entrySet()) {
			List<Row> untouched = new ArrayList<>(before.get(table.getKey()));
			for (Row row : table.getValue()) {
				if (Long.valueOf(FRESH).equals(row.token())) {
					stamped++;
				}
				else {
					assertThat(untouched.remove(row)).as("row without the token: %s", row).isTrue();
				}
			}
		}
		return stamped;
	}

	private static GuardedStatement guard(SampleStatement sample) {
		return Guarding.guard(sample.sql(), sample.dialect());
	}

	private static @Nullable Object[] bind(GuardedStatement guarded, SampleStatement sample, long token) {
		Object[] arguments = sample.arguments().toArray();
		guarded.checkArguments(arguments);
		return guarded.bind(arguments, token);
	}

	private static Map<String, List<String>> values(Map<String, List<Row>> contents) {
		Map<String, List<String>> values = new TreeMap<>();
		contents.forEach((table, rows) -> values.put(table,
				rows.stream().map((row) -> row.values().toString()).sorted().toList()));
		return values;
	}

	private static int size(Map<String, List<Row>> contents) {
		return contents.values().stream().mapToInt(List::size).sum();
	}

	private SampleDatabase database(SampleStatement sample) throws SQLException {
		SampleDatabase database = this.databases.get(sample.database());
		if (database == null) {
			database = new SampleDatabase(sample.database());
			this.databases.put(sample.database(), database);
		}
		return database;
	}

}
