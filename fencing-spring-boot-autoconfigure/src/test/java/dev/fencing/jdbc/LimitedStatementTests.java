package dev.fencing.jdbc;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A guard inside a statement with a limit would make a stale owner take other rows, which
 * no later owner has stamped yet.
 */
@ParameterizedClass
@EnumSource
class LimitedStatementTests {

	@Parameter
	TestDatabase database;

	private ParcelFixture parcels;

	private FencedJdbcTemplate fencedJdbc;

	@BeforeEach
	void createJobs() {
		this.parcels = new ParcelFixture(this.database, true);
		this.fencedJdbc = this.parcels.fencedJdbc();
		this.parcels.jdbc().execute("""
				create table job (id int primary key, st varchar(9), created int,
				fencing_token bigint default 0 not null)""");
		for (int id = 1; id <= 20; id++) {
			this.parcels.jdbc()
				.update("insert into job values (?, 'NEW', ?, ?)", id, 100 - id, (id > 15) ? 9_000_001 : 0);
		}
	}

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "update job set st = ? where st = 'NEW' order by created limit 10",
			"update job set st = ? where st = 'NEW' limit 10",
			"update job set st = ? where st = 'NEW' order by created fetch first 10 rows only" })
	void limitIsRefused(String sql) {
		this.parcels.under(8,
				() -> assertThatExceptionOfType(UnguardableStatementException.class)
					.isThrownBy(() -> this.fencedJdbc.update(sql, "RUN"))
					.withMessageContaining("which rows are taken")
					.withMessageContaining("read their keys first"));
		assertThat(running()).isZero();
	}

	@Test
	void rowsWhoseKeysWereReadFirstAreGuarded() {
		this.parcels.under(8, () -> assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.parcels.inTransaction(this::claim)));
		assertThat(running()).isZero();
		assertThat(this.parcels.rejections()).hasSize(1);
		this.parcels.under(10, () -> this.parcels.inTransaction(this::claim));
		assertThat(running()).isEqualTo(10);
	}

	private void claim() {
		List<Integer> ids = this.parcels.jdbc()
			.queryForList("select id from job where st = 'NEW' order by created limit 10 for update", Integer.class);
		String places = String.join(", ", Collections.nCopies(ids.size(), "?"));
		this.fencedJdbc.update("update job set st = 'RUN' where id in (" + places + ")", ids.toArray());
	}

	private int running() {
		Integer count = this.parcels.jdbc().queryForObject("select count(*) from job where st = 'RUN'", Integer.class);
		return (count != null) ? count : -1;
	}

}
