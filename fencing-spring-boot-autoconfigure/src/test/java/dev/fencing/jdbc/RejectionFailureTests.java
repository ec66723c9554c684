package dev.fencing.jdbc;

import java.sql.SQLException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RejectionFailure}.
 */
class RejectionFailureTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			POSTGRESQL, 53100, 0
			POSTGRESQL, 25006, 0
			POSTGRESQL, 57P03, 0
			MYSQL,      HY000, 1021
			MYSQL,      HY000, 1030
			MYSQL,      HY000, 1205
			MARIADB,    HY000, 1114
			MARIADB,    42000, 1203
			H2,         HY000, 90031
			SQLSERVER,  S0002, 1105
			SQLSERVER,  S0051, 1222
			ORACLE,     72000, 1653
			ORACLE,     61000, 54
			""")
	void databaseThatTakesNothingNowIsAnOutage(RegistryDialect dialect, String state, int code) {
		assertThat(isOutage(dialect, state, code)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, 22P05, 0", "POSTGRESQL, P0001, 0", "MARIADB, 22007, 1366", "MARIADB, 45000, 1644",
			"H2, 23513, 23513", "SQLSERVER, 23000, 2627", "ORACLE, 72000, 12899" })
	void refusalOfARowIsNone(RegistryDialect dialect, String state, int code) {
		assertThat(isOutage(dialect, state, code)).isFalse();
	}

	private static boolean isOutage(RegistryDialect dialect, String state, int code) {
		SQLException failure = new SQLException("failed", state, code);
		DataAccessException translated = new SQLExceptionSubclassTranslator().translate("insert", null, failure);
		return RejectionFailure.isOutage(
				(translated != null) ? translated : new UncategorizedSQLException("insert", null, failure),
				RejectionSql.of(dialect));
	}

}
