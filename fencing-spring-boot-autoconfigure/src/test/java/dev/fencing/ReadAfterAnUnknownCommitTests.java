package dev.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.jdbc.PgConnection;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * A commit whose answer an owner has given up on may be done later. The next owner waits
 * for it, since it holds the lock of the registry's row. An owner that goes on under its
 * own lease is the registered one still: its next transaction waits as well, before it
 * begins. What reads without a transaction does not, and may lose an update.
 */
class ReadAfterAnUnknownCommitTests extends AbstractTwoOwnersTests {

	private static final int GATE = 42;

	private Connection gate;

	private JdbcTemplate admin;

	private TransactionSystemException failure;

	@BeforeEach
	void write() throws SQLException {
		fenced(TestDatabase.POSTGRESQL);
		this.gate = this.stack.pool().getConnection();
		this.admin = new JdbcTemplate(new SingleConnectionDataSource(this.gate, true));
		this.admin.execute("""
				create function wait_at_gate() returns trigger language plpgsql as $$
				begin perform pg_advisory_xact_lock(%d); return null; end $$""".formatted(GATE));
		this.admin.execute("""
				create constraint trigger gate after update on counter deferrable initially deferred
				for each row execute function wait_at_gate()""");
		this.admin.execute("select pg_advisory_lock(%d)".formatted(GATE));
		this.a.takesLease();
		this.a.begins();
		this.a.writes(this.a.reads() + 1);
	}

	private void giveUpTheCommit() throws Exception {
		CompletableFuture<TransactionSystemException> commit = breakDuringTheCommit();
		this.failure = commit.get(10, TimeUnit.SECONDS);
		assertThat(this.failure).isNotNull();
	}

	private CompletableFuture<TransactionSystemException> breakDuringTheCommit() throws SQLException {
		Connection connection = this.a.does(() -> this.stack.jdbc()
			.execute((ConnectionCallback<Connection>) (pooled) -> pooled.unwrap(PgConnection.class)));
		CompletableFuture<TransactionSystemException> commit = CompletableFuture
			.supplyAsync(() -> catchThrowableOfType(TransactionSystemException.class, this.a::commits));
		awaitSomebodyWaitsFor("advisory");
		connection.abort(Runnable::run);
		return commit;
	}

	@AfterEach
	void closeGate() throws SQLException {
		this.gate.close();
	}

	@Test
	void controlReadsAndLosesAnUpdate() throws Exception {
		giveUpTheCommit();
		int seen = this.a.reads();
		openGate();
		await().untilAsserted(() -> assertCounter(1));
		this.a.begins();
		this.a.writes(seen + 1);
		this.a.commits();
		assertCounter(1);
		assertThat(this.stack.rejections()).isEmpty();
	}

	@Test
	void nextTransactionOfTheSameOwnerWaitsForTheCommit() throws Exception {
		giveUpTheCommit();
		CompletableFuture<Integer> seen = CompletableFuture.supplyAsync(() -> {
			this.a.begins();
			return this.a.reads();
		});
		awaitSomebodyWaitsFor("transactionid");
		openGate();
		assertThat(seen.get(10, TimeUnit.SECONDS)).isOne();
	}

	@Test
	void readThatLocksWaitsForTheCommit() throws Exception {
		giveUpTheCommit();
		CompletableFuture<Integer> seen = CompletableFuture.supplyAsync(() -> this.a
			.does(() -> this.stack.jdbc().queryForObject("select amount from counter for update", Integer.class)));
		awaitSomebodyWaitsFor("transactionid");
		openGate();
		assertThat(seen.get(10, TimeUnit.SECONDS)).isOne();
	}

	@Test
	void transactionInACallbackAfterTheCommitWaitsForItAsWell() throws Exception {
		TransactionTemplate inner = this.stack.transaction();
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		CompletableFuture<Integer> seen = new CompletableFuture<>();
		this.a.does(() -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					seen.complete(inner.execute((transaction) -> ReadAfterAnUnknownCommitTests.this.stack.counter()));
				}
			});
			return null;
		});
		CompletableFuture<TransactionSystemException> commit = breakDuringTheCommit();
		awaitSomebodyWaitsFor("transactionid");
		openGate();
		assertThat(seen.get(10, TimeUnit.SECONDS)).isOne();
		assertThat(commit.get(10, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void transactionOnAnotherDatabaseDoesNotWait() throws Exception {
		giveUpTheCommit();
		try (HikariDataSource pool = TestDatabase.H2.pool()) {
			TransactionTemplate other = new TransactionTemplate(this.stack.guard(new JdbcTransactionManager(pool)));
			Integer answer = this.a.does(
					() -> other.execute((status) -> new JdbcTemplate(pool).queryForObject("select 1", Integer.class)));
			assertThat(answer).isOne();
		}
	}

	@Test
	void nextTransactionOfTheSameOwnerIsRefusedWhenTheCommitStaysUnderWay() throws Exception {
		giveUpTheCommit();
		assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(this.a::begins)
			.withMessageContaining("under the lease on '%s'".formatted(RESOURCE))
			.withMessageContaining("run it again");
	}

	@Test
	void nextOwnerWaitsForTheCommit() throws Exception {
		giveUpTheCommit();
		this.a.fails(this.failure);
		this.leases.takeAway(RESOURCE);
		this.b.asksForLease();
		awaitSomebodyWaitsFor("transactionid");
		openGate();
		this.b.context();
		assertThat(this.b.reads()).isOne();
	}

	private void awaitSomebodyWaitsFor(String lock) {
		await().until(() -> this.admin.queryForObject("""
				select count(*) from pg_stat_activity where datname = current_database()
				and wait_event_type = 'Lock' and wait_event = ?""", Integer.class, lock) > 0);
	}

	private void openGate() {
		this.admin.execute("select pg_advisory_unlock(%d)".formatted(GATE));
	}

}
