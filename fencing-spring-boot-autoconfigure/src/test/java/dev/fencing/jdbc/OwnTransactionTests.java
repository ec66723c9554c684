package dev.fencing.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link OwnTransaction}.
 */
class OwnTransactionTests {

	private final String url = TestDatabase.H2.createDatabase();

	private boolean aborted;

	@Test
	void nothingIsCommittedThoughItCannotBeRolledBack() throws SQLException {
		try (Connection connection = DriverManager.getConnection(this.url);
				Connection other = DriverManager.getConnection(this.url)) {
			jdbc(connection).execute("create table t (id int)");
			assertThatIllegalStateException().isThrownBy(() -> OwnTransaction.run(withoutRollback(connection), () -> {
				jdbc(connection).update("insert into t values (1)");
				throw new IllegalStateException("too late");
			})).satisfies((failure) -> assertThat(failure.getSuppressed()).hasSize(1));
			assertThat(this.aborted).isTrue();
			assertThat(jdbc(other).queryForObject("select count(*) from t", Integer.class)).isZero();
		}
	}

	private static JdbcTemplate jdbc(Connection connection) {
		return new JdbcTemplate(new SingleConnectionDataSource(connection, true));
	}

	private Connection withoutRollback(Connection connection) {
		return (Connection) Proxy.newProxyInstance(OwnTransactionTests.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("rollback")) {
						throw new SQLException("No rollback");
					}
					// H2 has none
					this.aborted = this.aborted || method.getName().equals("abort");
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

}
