package dev.fencing.jdbc;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * On MariaDB the mode of the session decides where a literal ends, and what stands in
 * double quotes.
 */
class SqlModeTests {

	private final ParcelFixture parcels = new ParcelFixture(TestDatabase.MARIADB, true);

	private final FencedJdbcTemplate fencedJdbc = this.parcels.fencedJdbc();

	private long generation = 7;

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void backslashEscapesByDefault() {
		update("", "update parcel set state = 'it\\'s ? :x' where id = ?", 1);
		assertThat(this.parcels.state(1)).isEqualTo("it's ? :x");
		assertThat(this.parcels.stamp(1)).isEqualTo(7);
	}

	@ParameterizedTest
	@ValueSource(strings = { "update parcel set state = 'it\\'s ?' where id = ?",
			"update parcel set state = 'C:\\' where state = 'D:\\' or id = ?" })
	void literalThatWouldEndElsewhereIsNotSentWithoutEscapes(String sql) {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> update("NO_BACKSLASH_ESCAPES", sql, 1));
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void literalThatEndsThereInEachModeIsSent() {
		String sql = "update parcel set state = 'a\\b ''?''' where id = ?";
		update("NO_BACKSLASH_ESCAPES", sql, 1);
		assertThat(this.parcels.state(1)).isEqualTo("a\\b '?'");
		update("", sql, 2);
		assertThat(this.parcels.state(2)).isEqualTo("a\b '?'");
	}

	@Test
	void doubleQuotesEncloseATextOrAName() {
		update("", "update parcel set state = \"prio ? or \" where id = ?", 1);
		assertThat(this.parcels.state(1)).isEqualTo("prio ? or ");
		update("ANSI_QUOTES", "update parcel set prio = 7 where \"id\" = ? or \"prio\" > 25", 2);
		assertThat(this.parcels.jdbc().queryForList("select prio from parcel order by id", Integer.class))
			.containsExactly(10, 7, 7);
		assertThat(this.parcels.stamp(3)).isEqualTo(8);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ANSI_QUOTES" })
	void tokenColumnInDoubleQuotesIsNoGuard(String mode) {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> update(mode, "update parcel set state = 'X', \"fencing_token\" = 0 where id = ?", 1));
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "PIPES_AS_CONCAT", "ANSI", "HIGH_NOT_PRECEDENCE", "IGNORE_SPACE" })
	void staleOwnerWritesNothingInAnyMode(String mode) {
		this.parcels.jdbc().update("update parcel set fencing_token = 9000001");
		for (String condition : new String[] { "prio = 1 || id = ?", "not prio = 1 or id = ?",
				"id = ? or 'a' || 'b'" }) {
			// What a condition means depends on the mode, so that it may mean no row
			assertThat(catchThrowable(() -> update(mode, "delete from parcel where " + condition, 1))).satisfiesAnyOf(
					(thrown) -> assertThat(thrown).isNull(),
					(thrown) -> assertThat(thrown).isInstanceOf(StaleGenerationException.class));
		}
		assertThat(this.parcels.jdbc().queryForObject("select count(*) from parcel", Integer.class)).isEqualTo(3);
		assertThat(this.parcels.rejections()).isNotEmpty();
	}

	private void update(String mode, String sql, Object... arguments) {
		try {
			this.parcels.under(this.generation++, () -> this.parcels.inTransaction(() -> {
				this.parcels.jdbc().execute("set session sql_mode = '" + mode + "'");
				this.fencedJdbc.update(sql, arguments);
			}));
		}
		finally {
			// The mode is the connection's
			this.parcels.stack().pool().getHikariPoolMXBean().softEvictConnections();
		}
	}

}
