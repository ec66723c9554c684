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
	@CsvSource({ "POSTGRESQL, set lock_timeout = 0", "POSTGRESQL, set lock_timeout = 20", "H2, set lock_timeout 20",
			"MARIADB, set innodb_lock_wait_timeout = 50", "MARIADB, set innodb_lock_wait_timeout = 0" })
	void waitsForTheRow(TestDatabase database, String limit) throws Exception {
		open(database, limit);
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
	@CsvSource({ "POSTGRESQL, set lock_timeout = 0", "POSTGRESQL, set lock_timeout = 20", "H2, set lock_timeout 20",
			"MARIADB, set innodb_lock_wait_timeout = 50", "MARIADB, set innodb_lock_wait_timeout = 0" })
	void givesUpInTheEnd(TestDatabase database, String limit) throws SQLException {
		open(database, limit);
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

	private void open(TestDatabase database, String limit) {
		HikariDataSource pool = database.pool();
		pool.setConnectionInitSql(limit);
		this.stack = FencedStack.on(pool, database, (dataSource) -> dataSource, new InMemoryLeaseProvider());
		this.stack.registry().register("r", 1_000_000, "first");
	}

	private Connection lockRow() throws SQLException {
		Connection connection = this.stack.pool().getConnection();
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute("select * from FENCING_GENERATION for update");
		}
		return connection;
	}

}
