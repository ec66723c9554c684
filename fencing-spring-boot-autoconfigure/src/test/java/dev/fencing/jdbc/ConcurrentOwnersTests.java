package dev.fencing.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.StaleGenerationException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Owners whose statements meet on one row.
 */
class ConcurrentOwnersTests extends AbstractParcelTests {

	private static final String UPDATE = "update parcel set state = ? where id = ?";

	private final TestDatabase database;

	private final FencedJdbcTemplate fencedJdbc;

	ConcurrentOwnersTests(TestDatabase database) {
		this.database = database;
		this.fencedJdbc = parcels.fencedJdbc();
	}

	@Test
	void olderOwnerThatWaitedForTheRowIsRefusedWhenTheNewerOneCommits() throws Exception {
		CountDownLatch written = new CountDownLatch(1);
		CountDownLatch waiting = new CountDownLatch(1);
		parcels.under(7, () -> {
			CompletableFuture<Void> newer = CompletableFuture
				.runAsync(() -> parcels.under(8, () -> parcels.inTransaction(() -> {
					this.fencedJdbc.update(UPDATE, "NEWER", 1);
					written.countDown();
					await(waiting);
				})));
			await(written);
			CompletableFuture<Void> release = CompletableFuture.runAsync(() -> {
				awaitBlockedStatement();
				waiting.countDown();
			});
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "OLDER", 1));
			newer.join();
			release.join();
		});
		assertThat(parcels.state(1)).isEqualTo("NEWER");
		assertThat(parcels.rejections()).hasSize(1);
	}

	@Test
	void rowThatHasChangedSinceTheSnapshotIsNoRejection() {
		TransactionTemplate repeatableRead = new TransactionTemplate(parcels.stack().transactionManager());
		repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		Runnable update = () -> repeatableRead.executeWithoutResult((status) -> {
			parcels.jdbc().queryForList("select * from parcel");
			CompletableFuture.runAsync(() -> parcels.jdbc().update("update parcel set prio = 1")).join();
			this.fencedJdbc.update(UPDATE, "X", 1);
		});
		boolean writesToTheNewestRow = this.database == TestDatabase.MARIADB;
		if (writesToTheNewestRow) {
			parcels.under(7, update);
		}
		else {
			parcels.under(7, () -> assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(update::run)
				.isNotInstanceOf(StaleGenerationException.class));
		}
		assertThat(parcels.rejections()).isEmpty();
		assertThat(parcels.state(1)).isEqualTo(writesToTheNewestRow ? "X" : "NEW");
	}

	@Test
	void lockTimeoutIsNoRejection() {
		CountDownLatch written = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(1);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> parcels.inTransaction(() -> {
			parcels.jdbc().update("update parcel set prio = 1");
			written.countDown();
			await(refused);
		}));
		await(written);
		String shortTimeout = switch (this.database) {
			case POSTGRESQL -> "set local lock_timeout = '500ms'";
			case H2 -> "set lock_timeout 500";
			case MARIADB -> "set session innodb_lock_wait_timeout = 1";
		};
		try {
			parcels.under(7, () -> assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> parcels.inTransaction(() -> {
					parcels.jdbc().execute(shortTimeout);
					this.fencedJdbc.update(UPDATE, "X", 1);
				}))
				.isNotInstanceOf(StaleGenerationException.class)
				.havingRootCause()
				.satisfies((ex) -> assertThat(ex.getMessage()).containsPattern("(?i)timeout|is locked by")));
		}
		finally {
			refused.countDown();
			other.join();
			// The setting is the connection's
			parcels.stack().pool().getHikariPoolMXBean().softEvictConnections();
		}
		assertThat(parcels.rejections()).isEmpty();
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	private void awaitBlockedStatement() {
		String blocked = switch (this.database) {
			case POSTGRESQL ->
				"select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
			case H2 -> "select count(*) from information_schema.sessions where blocker_id is not null";
			case MARIADB -> "select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
		};
		Awaitility.await()
			.atMost(15, TimeUnit.SECONDS)
			.until(() -> parcels.jdbc().queryForObject(blocked, Integer.class), (count) -> count == 1);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
