package dev.fencing.transaction;

import java.util.Arrays;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
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
		this.stack.assertUnused("tally");
		this.persistence.close();
		this.stack.close();
	}

	@ParameterizedTest
	@EnumSource
	void isExemptWherePostgresEnforcesIt(Persistence.Kind kind) {
		open(TestDatabase.POSTGRESQL.pool(), TestDatabase.POSTGRESQL, kind);
		assertExempt();
	}

	@ParameterizedTest
	@CsvSource({ "DATA_SOURCE, POSTGRESQL", "JDBC, POSTGRESQL", "DATA_SOURCE, MARIADB", "JDBC, MARIADB" })
	void isExemptWhereItIsBegunAsReadOnly(Persistence.Kind kind, TestDatabase database) {
		open(database.pool(), database, kind);
		((DataSourceTransactionManager) this.persistence.manager()).setEnforceReadOnly(true);
		assertExempt();
	}

	@ParameterizedTest
	@MethodSource("everywhere")
	void currentOwnerReadsOnEachDatabase(Persistence.Kind kind, TestDatabase database) {
		open(database.pool(), database, kind);
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> assertThat(read()).isZero());
		assertThat(this.stack.rejections()).isEmpty();
	}

	static Stream<Arguments> everywhere() {
		return Arrays.stream(Persistence.Kind.values())
			.flatMap((kind) -> Arrays.stream(TestDatabase.values()).map((database) -> Arguments.of(kind, database)));
	}

	private void assertExempt() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			assertThat(read()).isZero();
			this.stack.takeOver(context);
			assertThat(read()).isZero();
			assertThatException().isThrownBy(() -> readOnly().executeWithoutResult((status) -> write()));
		});
		assertThat(this.persistence.amount()).isZero();
		assertThat(this.stack.rejections()).isEmpty();
	}

	private Integer read() {
		return readOnly().<Integer>execute((status) -> this.persistence.amount());
	}

	private void write() {
		this.persistence.jdbc().update("update tally set amount = amount + 1 where id = 1");
	}

	private TransactionTemplate readOnly() {
		TransactionTemplate readOnly = new TransactionTemplate(this.persistence.manager());
		readOnly.setReadOnly(true);
		return readOnly;
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
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> readOnly().executeWithoutResult((status) -> {
				write();
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
