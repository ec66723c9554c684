package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.fencing.LeaseUnavailableException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.Registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A registration whose row is locked, as by the commit of the former owner, waits for it,
 * but not for longer than it may; whatever the database's own limit is.
 */
class RegistrationContentionTests {

	private FencedStack stack;

	@AfterEach
	void close() {
		assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
		this.stack.close();
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, 0", "POSTGRESQL, 20", "H2, 20" })
	void waitsForTheRow(TestDatabase database, int limitMillis) throws Exception {
		open(database, limitMillis);
		CompletableFuture<Registration> registration;
		try (Connection other = lockRow()) {
			registration = CompletableFuture
				.supplyAsync(() -> this.stack.registry().register("r", 2_000_000, "second"));
			CompletableFuture<Registration> waiting = registration;
			Awaitility.await().during(Duration.ofMillis(200)).until(() -> !waiting.isDone());
			other.rollback();
		}
		assertThat(registration.get(30, TimeUnit.SECONDS)).isInstanceOf(Registration.Accepted.class);
		assertThat(this.stack.registry().find("r").owner()).isEqualTo("second");
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, 0", "POSTGRESQL, 20", "H2, 20" })
	void givesUpInTheEnd(TestDatabase database, int limitMillis) throws SQLException {
		open(database, limitMillis);
		JdbcGenerationRegistry impatient = new JdbcGenerationRegistry(this.stack.fenced(), database::dialect,
				JdbcGenerationRegistry.DEFAULT_TABLE_NAME, Duration.ofMillis(300));
		try (Connection other = lockRow()) {
			assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> impatient.register("r", 2_000_000, "second"))
				.withMessageContaining("'r'")
				.withMessageContaining("PT0.3S")
				.withMessageContaining("FENCING_GENERATION");
			other.rollback();
		}
		assertThat(this.stack.registry().find("r").owner()).isEqualTo("first");
	}

	private void open(TestDatabase database, int limitMillis) {
		HikariDataSource pool = database.pool();
		pool.setConnectionInitSql(
				((database == TestDatabase.H2) ? "set lock_timeout " : "set lock_timeout = ") + limitMillis);
		this.stack = FencedStack.on(pool, database, (dataSource) -> dataSource, new InMemoryLeaseProvider());
		this.stack.registry().register("r", 1_000_000, "first");
	}

	private Connection lockRow() throws SQLException {
		Connection connection = this.stack.pool().getConnection();
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute("select * from fencing_generation for update");
		}
		return connection;
	}

}
