package dev.fencing.transaction;

import java.sql.Connection;

import com.zaxxer.hikari.HikariDataSource;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Unlike PostgreSQL's, the guard's locking read reads the current row under every
 * isolation level of InnoDB and says at once who came after, while a plain read of the
 * same transaction still says that nobody did. With {@code innodb_snapshot_isolation},
 * which later releases of MariaDB switch on, it fails as on PostgreSQL.
 */
class InnoDbIsolationTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private FencedStack stack;

	@AfterEach
	void close() {
		if (this.stack != null) {
			assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
			assertThat(this.provider.find("counter")).isNull();
			this.stack.close();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED,
			Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE })
	void commitOfTheCurrentOwner(int isolation) {
		open(false);
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> increment(isolation, () -> {
		}));
		assertThat(this.stack.counter()).isOne();
		assertThat(this.stack.rejections()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED,
			Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE })
	void commitOfAStaleOwner(int isolation) {
		open(false);
		assertRefused(isolation).satisfies((ex) -> assertThat(ex.getCause()).isNull());
	}

	@Test
	void plainReadOfAStaleOwnerIsBlind() {
		open(false);
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
				increment(Connection.TRANSACTION_REPEATABLE_READ, () -> {
					long before = registeredToken();
					this.stack.takeOver(context);
					assertThat(registeredToken()).isEqualTo(before);
				});
			}));
	}

	@Test
	void commitOfAStaleOwnerIsClassifiedAfterTheRollbackWhereSnapshotsAreStrict() {
		open(true);
		assertRefused(Connection.TRANSACTION_REPEATABLE_READ)
			.satisfies((ex) -> assertThat(ex.getCause()).isInstanceOf(DataAccessException.class)
				.isNotInstanceOf(FencingException.class));
	}

	private ThrowableAssertAlternative<StaleGenerationException> assertRefused(int isolation) {
		var refusal = assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST, (context) -> increment(isolation, () -> this.stack.takeOver(context))))
			.satisfies((ex) -> {
				assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
				assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION);
			});
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
		return refusal;
	}

	private void open(boolean strictSnapshots) {
		HikariDataSource pool = TestDatabase.MARIADB.pool();
		pool.setConnectionInitSql("set innodb_snapshot_isolation = " + (strictSnapshots ? "on" : "off"));
		this.stack = FencedStack.on(pool, TestDatabase.MARIADB, (dataSource) -> dataSource, this.provider)
			.withCounter();
	}

	private long registeredToken() {
		Long token = this.stack.jdbc()
			.queryForObject("select fencing_token from FENCING_GENERATION where resource_id = 'counter'", Long.class);
		return (token != null) ? token : -1;
	}

	private void increment(int isolation, Runnable afterwards) {
		TransactionTemplate transaction = this.stack.transaction();
		transaction.setIsolationLevel(isolation);
		transaction.executeWithoutResult((status) -> {
			this.stack.jdbc().update("update counter set amount = ?", this.stack.counter() + 1);
			afterwards.run();
		});
	}

}
