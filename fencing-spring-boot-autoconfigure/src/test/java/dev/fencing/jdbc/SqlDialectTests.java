package dev.fencing.jdbc;

import java.sql.Connection;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.PostgresTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Answers.RETURNS_DEEP_STUBS;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SqlDialect}.
 */
class SqlDialectTests {

	@Test
	void databaseSaysWhatItIs() {
		assertThat(SqlDialect.of(new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:"))))
			.isEqualTo(SqlDialect.H2);
		assertThat(SqlDialect.of(postgres(""))).isEqualTo(SqlDialect.POSTGRESQL);
	}

	@Test
	void literalsWithBackslashEscapesAreRefused() {
		JdbcTemplate jdbc = postgres("&options=-c%20standard_conforming_strings=off");
		assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> SqlDialect.of(jdbc))
			.withMessageContaining("standard_conforming_strings");
	}

	@Test
	void otherDatabaseIsRefused() throws Exception {
		Connection connection = mock(Connection.class, RETURNS_DEEP_STUBS);
		given(connection.getMetaData().getDatabaseProductName()).willReturn("Other");
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> SqlDialect.of(jdbc))
			.withMessageContaining("'Other'")
			.withMessageContaining("nextToken()");
	}

	private static JdbcTemplate postgres(String options) {
		return new JdbcTemplate(new DriverManagerDataSource(
				PostgresTestServer.createDatabase() + "?user=postgres&password=postgres" + options));
	}

}
