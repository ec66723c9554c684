package dev.fencing.transaction;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A read-only transaction needs no guard where the database keeps it from writing, and
 * only there.
 */
class ReadOnlyTransactionTests {

	private static final LockRequest REQUEST = LockRequest.of("tally");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private FencedStack stack;

	private Persistence persistence;

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		assertThat(this.provider.find("tally")).isNull();
		assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
		this.persistence.close();
		this.stack.close();
	}

	@ParameterizedTest
	@EnumSource
	void isExemptWherePostgresEnforcesIt(Persistence.Kind kind) {
		open(TestDatabase.POSTGRESQL.pool(), TestDatabase.POSTGRESQL, kind);
		TransactionTemplate readOnly = new TransactionTemplate(this.persistence.manager());
		readOnly.setReadOnly(true);
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			this.stack.takeOver(context);
			assertThat(readOnly.<Integer>execute((status) -> this.persistence.amount())).isZero();
		});
		assertThat(this.stack.rejections()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "DATA_SOURCE, POSTGRESQL", "JDBC, POSTGRESQL", "JPA, POSTGRESQL", "DATA_SOURCE, H2", "JDBC, H2",
			"JPA, H2", "DATA_SOURCE, MARIADB", "JDBC, MARIADB", "JPA, MARIADB" })
	void isGuardedWhereTheDatabaseLetsWritesThrough(Persistence.Kind kind, TestDatabase database) {
		HikariDataSource pool = database.pool();
		if (database == TestDatabase.POSTGRESQL) {
			pool.addDataSourceProperty("readOnlyMode", "ignore");
		}
		open(pool, database, kind);
		TransactionTemplate readOnly = new TransactionTemplate(this.persistence.manager());
		readOnly.setReadOnly(true);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> readOnly.executeWithoutResult((status) -> {
				this.persistence.jdbc().update("update tally set amount = amount + 1 where id = 1");
				this.stack.takeOver(context);
			})));
		assertThat(this.persistence.amount()).isZero();
	}

	private void open(HikariDataSource pool, TestDatabase database, Persistence.Kind kind) {
		this.stack = FencedStack.on(pool, database, (dataSource) -> dataSource, this.provider);
		Tally.createTable(this.stack.jdbc());
		this.persistence = kind.on(pool);
		this.stack.guard(this.persistence.manager());
	}

}
