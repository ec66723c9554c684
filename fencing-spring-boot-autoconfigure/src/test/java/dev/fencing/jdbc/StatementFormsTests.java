package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.Splices.Splice;
import dev.fencing.jdbc.StatementForm.Example;
import dev.fencing.testsupport.RecordingDataSource;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Each documented form of statement on real databases: a guarded one does what the plain
 * one does, unless its owner is stale; a refused one does nothing.
 */
@ParameterizedClass(name = "{0} {1}")
@CsvSource({ "POSTGRESQL, READ_COMMITTED", "POSTGRESQL, REPEATABLE_READ", "POSTGRESQL, SERIALIZABLE", "H2, DEFAULT",
		"MARIADB, READ_COMMITTED", "MARIADB, REPEATABLE_READ" })
class StatementFormsTests {

	private static ParcelFixture parcels;

	private static StatementFormTables tables;

	@Parameter(0)
	TestDatabase database;

	@Parameter(1)
	String isolation;

	@BeforeParameterizedClassInvocation
	static void open(TestDatabase database) {
		parcels = new ParcelFixture(database, true);
		tables = new StatementFormTables(database, parcels.jdbc());
	}

	@AfterParameterizedClassInvocation
	static void close() {
		tables.drop();
		parcels.close();
	}

	@BeforeEach
	void reset() {
		parcels.forget();
		tables.fill();
	}

	static Stream<StatementForm> forms() {
		return StatementForms.ALL.stream();
	}

	@ParameterizedTest
	@MethodSource("forms")
	void formIsWhatItsDocumentationSays(StatementForm form) {
		Example example = form.example(dialect());
		switch (example.outcome()) {
			case GUARDED, GUARDED_ON_MARIADB -> {
				currentOwnerWritesAndStampsTheIntendedRows(example);
				reset();
				staleOwnerWritesNothing(example);
				reset();
				absentRowIsNoRejection(example);
				textOutsideOfStampAndGuardStaysAsItIs(example);
			}
			case GUARDED_ON_MYSQL, UNKNOWN -> databaseSaysThatItDoesNotKnowTheForm(example);
			case REFUSED -> nothingIsSent(example);
		}
	}

	private void currentOwnerWritesAndStampsTheIntendedRows(Example example) {
		Map<String, String> before = tables.rows();
		int count = executePlain(example);
		Map<String, String> expected = tables.rows();
		assertThat(expected).as("rows after the plain statement").isNotEqualTo(before);
		tables.fill();
		parcels.under(7, () -> assertThat(update(example)).isEqualTo(count));
		assertThat(tables.rows()).isEqualTo(expected);
		assertThat(stamped()).isEqualTo(changed(before, expected));
		assertThat(parcels.rejections()).isEmpty();
	}

	private void staleOwnerWritesNothing(Example example) {
		Map<String, String> before = tables.rows();
		parcels.under(7, () -> {
			parcels.elsewhere(8, () -> tables.touches().forEach((sql) -> parcels.fencedJdbc().update(sql)));
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> update(example));
		});
		assertThat(tables.rows()).isEqualTo(before);
		assertThat(stamped()).isEmpty();
		assertThat(parcels.rejections()).hasSize(1);
	}

	private void absentRowIsNoRejection(Example example) {
		tables.clear();
		int count = executePlain(example);
		if (!example.sql().startsWith("insert")) {
			assertThat(count).isZero();
		}
		tables.clear();
		parcels.under(7, () -> assertThat(update(example)).isEqualTo(count));
		assertThat(parcels.rejections()).isEmpty();
	}

	private void textOutsideOfStampAndGuardStaysAsItIs(Example example) {
		GuardedStatement statement = Guarding.guard(example.sql(), dialect());
		StringBuilder rest = new StringBuilder(statement.sql());
		// Each insertion is taken out where those before it have shifted it to
		int shift = statement.splices().stream().mapToInt((splice) -> splice.inserted().length()).sum();
		for (int i = statement.splices().size() - 1; i >= 0; i--) {
			Splice splice = statement.splices().get(i);
			shift -= splice.inserted().length();
			int start = splice.offset() + shift;
			assertThat(rest.substring(start)).startsWith(splice.inserted().replace(BoundSqlBuilder.TOKEN, "?"));
			rest.delete(start, start + splice.inserted().length());
		}
		assertThat(rest.toString()).isEqualTo(example.sql().replace(":fencingToken", "?"));
	}

	private void databaseSaysThatItDoesNotKnowTheForm(Example example) {
		Map<String, String> before = tables.rows();
		parcels.under(7,
				() -> assertThatExceptionOfType(BadSqlGrammarException.class).isThrownBy(() -> update(example)));
		assertThat(tables.rows()).isEqualTo(before);
		assertThat(parcels.rejections()).isEmpty();
	}

	private void nothingIsSent(Example example) {
		RecordingDataSource recording = new RecordingDataSource(parcels.stack().pool());
		FencedJdbcTemplate fencedJdbc = parcels.fencedJdbc(recording);
		parcels.under(7, () -> {
			// Only then is the database known
			fencedJdbc.update("update parcel set prio = prio where id = 99");
			recording.statements();
			recording.commits();
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> fencedJdbc.update(example.sql(), example.argumentArray()))
				.withMessageContaining("Nothing was sent to the database")
				.withMessageContaining(example.sql());
		});
		assertThat(recording.statements()).isEmpty();
		assertThat(recording.commits()).isZero();
	}

	private SqlDialect dialect() {
		return switch (this.database) {
			case POSTGRESQL -> SqlDialect.POSTGRESQL;
			case H2 -> SqlDialect.H2;
			case MARIADB -> SqlDialect.MYSQL;
		};
	}

	private int update(Example example) {
		TransactionTemplate transaction = parcels.stack().transaction();
		transaction.setIsolationLevelName("ISOLATION_" + this.isolation);
		Integer count = transaction
			.execute((status) -> parcels.fencedJdbc().update(example.sql(), example.argumentArray()));
		return (count != null) ? count : -1;
	}

	private int executePlain(Example example) {
		String sql = example.sql().replace(":fencingToken", String.valueOf(Long.MAX_VALUE));
		Integer count = parcels.jdbc().execute(sql, (PreparedStatementCallback<Integer>) (statement) -> {
			new ArgumentPreparedStatementSetter(example.argumentArray()).setValues(statement);
			return statement.execute() ? count(statement) : statement.getUpdateCount();
		});
		return (count != null) ? count : -1;
	}

	private static int count(PreparedStatement statement) throws SQLException {
		int count = 0;
		try (ResultSet rows = statement.getResultSet()) {
			while (rows.next()) {
				count++;
			}
		}
		return count;
	}

	private static Set<String> stamped() {
		Set<String> stamped = new TreeSet<>();
		tables.tokens().forEach((row, token) -> {
			if (token.startsWith("700000")) {
				stamped.add(row);
			}
		});
		return stamped;
	}

	private static Set<String> changed(Map<String, String> before, Map<String, String> after) {
		Set<String> changed = new TreeSet<>();
		after.forEach((row, text) -> {
			if (!text.equals(before.get(row))) {
				changed.add(row);
			}
		});
		return changed;
	}

}
