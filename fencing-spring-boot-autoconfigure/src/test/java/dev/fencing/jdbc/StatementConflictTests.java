package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A statement that loses against a lock, a deadlock or another transaction's commit says
 * nothing about who is the owner.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "MARIADB" })
class StatementConflictTests {

	private static final String UPDATE = "update parcel set state = ? where id = ?";

	private static final Pattern NAMELESS = Pattern.compile("lock timeout|error code \\[(1020|1205)]");

	private final TestDatabase database;

	private final ParcelFixture parcels;

	private final FencedJdbcTemplate fencedJdbc;

	StatementConflictTests(TestDatabase database) {
		this.database = database;
		this.parcels = new ParcelFixture(database, true);
		this.fencedJdbc = this.parcels.fencedJdbc();
	}

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void rowThatChangedSinceTheSnapshotIsNoRejection() {
		TransactionTemplate snapshot = new TransactionTemplate(this.parcels.stack().transactionManager());
		snapshot.setIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
		this.parcels.under(7, () -> assertConflict(() -> snapshot.executeWithoutResult((status) -> {
			if (this.database == TestDatabase.MARIADB) {
				this.parcels.jdbc().execute("set innodb_snapshot_isolation = on");
			}
			assertThat(this.parcels.state(1)).isEqualTo("NEW");
			elsewhere("update parcel set state = 'OTHER' where id = 1");
			this.fencedJdbc.update(UPDATE, "OURS", 1);
		})));
		assertThat(this.parcels.state(1)).isEqualTo("OTHER");
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void rowThatStaysLockedIsNoRejection() throws SQLException {
		try (Connection other = this.parcels.stack().pool().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("update parcel set state = 'OTHER' where id = 1");
			this.parcels.under(7, () -> assertConflict(() -> this.parcels.inTransaction(() -> {
				this.parcels.jdbc()
					.execute((this.database == TestDatabase.POSTGRESQL) ? "set local lock_timeout = '1s'"
							: "set innodb_lock_wait_timeout = 1");
				this.fencedJdbc.update(UPDATE, "OURS", 1);
			})));
			other.rollback();
		}
		assertThat(this.parcels.state(1)).isEqualTo("NEW");
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void deadlockIsNoRejection() throws Exception {
		CyclicBarrier bothHoldOne = new CyclicBarrier(2);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> this.parcels.inTransaction(() -> {
			this.parcels.jdbc().update("update parcel set depot = 6 where id = 2");
			await(bothHoldOne);
			this.parcels.jdbc().update("update parcel set depot = 6 where id = 1");
		}));
		Throwable[] ours = new Throwable[1];
		this.parcels.under(7, () -> {
			try {
				this.parcels.inTransaction(() -> {
					this.fencedJdbc.update(UPDATE, "OURS", 1);
					await(bothHoldOne);
					this.fencedJdbc.update(UPDATE, "OURS", 2);
				});
			}
			catch (DataAccessException ex) {
				ours[0] = ex;
			}
		});
		Throwable theirs = null;
		try {
			other.get(20, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			theirs = ex.getCause();
		}
		assertThat((ours[0] != null) ? ours[0] : theirs).isInstanceOf(DataAccessException.class)
			.isNotInstanceOf(FencingException.class);
		assertThat(this.parcels.rejections()).isEmpty();
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(20, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void elsewhere(String sql) {
		CompletableFuture.runAsync(() -> this.parcels.jdbc().update(sql)).orTimeout(20, TimeUnit.SECONDS).join();
	}

	private void assertConflict(Runnable work) {
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(work::run)
			.isNotInstanceOf(FencingException.class)
			.satisfies((ex) -> {
				// Spring has no name of its own for lock timeouts of PostgreSQL and
				// MariaDB,
				// nor for a changed record
				boolean known = ex instanceof PessimisticLockingFailureException;
				boolean nameless = ex instanceof UncategorizedSQLException
						&& NAMELESS.matcher(String.valueOf(ex.getMessage())).find();
				assertThat(known || nameless).as("%s", ex).isTrue();
			});
	}

}
