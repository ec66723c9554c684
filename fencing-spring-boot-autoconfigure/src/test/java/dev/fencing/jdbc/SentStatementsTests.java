package dev.fencing.jdbc;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.RecordingDataSource;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How many statements {@link FencedJdbcTemplate} sends, and when none.
 */
class SentStatementsTests extends AbstractParcelTests {

	private final TestDatabase database;

	private final RecordingDataSource dataSource;

	private final FencedJdbcTemplate fencedJdbc;

	SentStatementsTests(TestDatabase database) {
		this.database = database;
		this.dataSource = new RecordingDataSource(parcels.stack().pool());
		this.fencedJdbc = parcels.fencedJdbc(this.dataSource);
	}

	@Test
	void nothingIsSentForWhatIsRefused() {
		parcels.under(7, () -> assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> this.fencedJdbc.update("delete from parcel where id = 1 limit 1")));
		assertThat(this.dataSource.statements()).doesNotContain("delete from parcel where id = 1 limit 1")
			.allSatisfy((sql) -> assertThat(sql).isEqualTo("a statement without parameters"));
		parcels.under(8, () -> assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> this.fencedJdbc.update("merge into parcel")));
		assertThatExceptionOfType(NoFencedLeaseException.class)
			.isThrownBy(() -> this.fencedJdbc.update("delete from parcel"));
		assertThat(this.dataSource.statements()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
			update parcel set state = 'X' where id = 1           | true
			update parcel p set state = 'X' where (p.ID = 1)     | true
			update parcel set state = 'X' where id = 1 and depot = 5 | true
			update parcel set state = 'X' where id = 1 or id = 1 | false
			update parcel set state = 'X' where prio = 10        | false
			update parcel set state = 'X' where id < 2           | false
			update pair set state = 'X' where b = 'B' and a = 1  | true
			update pair set state = 'X' where a = 1              | false
			update pair set state = 'X' where b = 'B'            | false
			update "Quoted" set state = 'X' where "Id" = '1'     | true
			update "Quoted" set state = 'X' where "Id" > '0'     | false
			update s1.twice set state = 'X' where id = 1         | true
			update twice set state = 'X' where id = 1            | false
			update keyless set state = 'X' where id = 1          | false
			update parcel set state = 'X' where id = 1 and exists (select 1 from pair) | true
			delete from parcel where id = 1                      | true
			insert into pair (a, b) values (2, 'C')              | true
			""")
	void furtherReadIsNeededUnlessTheKeyIsFixed(String sql, boolean single) {
		createTables();
		parcels.under(8, () -> {
			readKeyAndText(quoted(sql));
			this.dataSource.statements();
			assertThat(this.fencedJdbc.update(quoted(sql).replace("'X'", "'Y'").replace("'C'", "'D'"))).isEqualTo(1);
		});
		List<String> sent = this.dataSource.statements();
		assertThat(sent).last().asString().contains("FENCING_GENERATION");
		assertThat(sent.size() == 2).as("statements %s", sent).isEqualTo(single);
	}

	@ParameterizedTest
	@CsvSource({ "5, true", "5.0, false" })
	void keyIsFixedByAnExactValueOnly(String number, boolean single) {
		Object id = number.contains(".") ? (Object) 1.0 : (Object) 1;
		parcels.under(8, () -> {
			this.fencedJdbc.update("update parcel set state = 'X' where id = ?", id);
			this.dataSource.statements();
			this.fencedJdbc.update("update parcel set state = 'Y' where id = ?", id);
		});
		assertThat(this.dataSource.statements()).hasSize(single ? 2 : 3);
	}

	@Test
	void textThatIsComparedAsANumberIsNotFixed() {
		createTables();
		String sql = quoted("update \"Quoted\" set state = 'X' where \"Id\" = ?");
		boolean comparesAsNumbers = this.database != TestDatabase.POSTGRESQL;
		Object id = comparesAsNumbers ? (Object) 1 : "1";
		parcels.under(8, () -> {
			this.fencedJdbc.update(sql, id);
			this.dataSource.statements();
			this.fencedJdbc.update(sql, id);
		});
		assertThat(this.dataSource.statements()).hasSize(comparesAsNumbers ? 3 : 2);
	}

	@Test
	void staleStatementIsClassifiedByTwoReads() {
		parcels.under(7, () -> {
			this.fencedJdbc.update("update parcel set state = 'A' where id = 1");
			parcels.elsewhere(8, () -> this.fencedJdbc.update("update parcel set state = 'B' where id = 1"));
			this.dataSource.statements();
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update("update parcel set state = 'A' where id = 1"));
		});
		assertThat(this.dataSource.statements()).hasSize(3);
	}

	private void readKeyAndText(String sql) {
		this.fencedJdbc.update(sql.startsWith("delete") ? "update parcel set state = 'X' where id = 1" : sql);
	}

	private void createTables() {
		for (String statement : """
				create table pair (a int, b varchar(9), state varchar(9), fencing_token bigint default 0 not null,
				primary key (a, b));
				insert into pair (a, b) values (1, 'B');
				create table "Quoted" ("Id" varchar(9) primary key, state varchar(9),
				fencing_token bigint default 0 not null);
				insert into "Quoted" ("Id", state) values ('1', 'A');
				create table keyless (id int, state varchar(9), fencing_token bigint default 0 not null);
				insert into keyless (id) values (1);
				create table twice (id int, state varchar(9), fencing_token bigint default 0 not null);
				insert into twice (id) values (1);
				create schema s1;
				create table s1.twice (id int primary key, state varchar(9), fencing_token bigint default 0 not null);
				insert into s1.twice (id) values (1)""".split(";")) {
			parcels.jdbc().execute(quoted(statement));
		}
	}

	private String quoted(String sql) {
		return (this.database == TestDatabase.MARIADB) ? sql.replace('"', '`') : sql;
	}

}
