package dev.fencing.jdbc;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.StaleGenerationException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Owners whose statements meet on one row.
 */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MARIADB")
class ConcurrentOwnersTests {

	private static ParcelFixture parcels;

	private static final String UPDATE = "update parcel set state = ? where id = ?";

	private final TestDatabase database;

	private final FencedJdbcTemplate fencedJdbc;

	ConcurrentOwnersTests(TestDatabase database) {
		this.database = database;
		this.fencedJdbc = parcels.fencedJdbc();
	}

	@BeforeParameterizedClassInvocation
	static void open(TestDatabase database) {
		parcels = new ParcelFixture(database, true);
	}

	@AfterParameterizedClassInvocation
	static void close() {
		parcels.close();
	}

	@BeforeEach
	void reset() {
		parcels.reset();
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
	void serializationFailureIsNoRejectionOfTheRow() {
		TransactionTemplate repeatableRead = new TransactionTemplate(parcels.stack().transactionManager());
		repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		parcels.under(7, () -> assertThatExceptionOfType(ConcurrencyFailureException.class)
			.isThrownBy(() -> repeatableRead.executeWithoutResult((status) -> {
				parcels.jdbc().queryForList("select * from parcel");
				CompletableFuture.runAsync(() -> parcels.jdbc().update("update parcel set prio = 1")).join();
				this.fencedJdbc.update(UPDATE, "X", 1);
			}))
			.isNotInstanceOf(StaleGenerationException.class));
		assertThat(parcels.rejections()).isEmpty();
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	private void awaitBlockedStatement() {
		String blocked = (this.database == TestDatabase.POSTGRESQL)
				? "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
				: "select count(*) from information_schema.sessions where blocker_id is not null";
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
