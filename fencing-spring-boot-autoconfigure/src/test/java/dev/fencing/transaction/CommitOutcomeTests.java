package dev.fencing.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FaultyCommits;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A lease is given back after a commit that the database has refused, and left to expire
 * after one whose outcome nobody knows. Either way no connection stays behind, and the
 * next owner gets to work.
 */
class CommitOutcomeTests {

	/**
	 * Lasts longer than any test, and nobody waits for it.
	 */
	private static final LockRequest LONG = LockRequest.of("tally").waitTime(Duration.ZERO);

	/**
	 * Runs out soon, and a next owner waits for that.
	 */
	private static final LockRequest SHORT = LockRequest.of("tally")
		.leaseTime(Duration.ofMillis(500))
		.waitTime(Duration.ofSeconds(30));

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final HikariDataSource pool = TestDatabase.POSTGRESQL.pool();

	private final AtomicBoolean away = new AtomicBoolean();

	private final FencedStack stack = FencedStack.on(this.pool, TestDatabase.POSTGRESQL,
			(dataSource) -> new DelegatingDataSource(dataSource) {
				@Override
				public Connection getConnection() throws SQLException {
					if (CommitOutcomeTests.this.away.get()) {
						throw new SQLException("the database is away", "08001");
					}
					return super.getConnection();
				}
			}, this.provider);

	private final FaultyCommits dataSource = new FaultyCommits(this.pool);

	private Persistence persistence;

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
		this.persistence.close();
		this.stack.close();
	}

	@ParameterizedTest
	@EnumSource
	void commitThatADeferredConstraintRefuses(Persistence.Kind kind) {
		use(kind);
		this.stack.jdbc().execute("create table line (tally bigint references tally deferrable initially deferred)");
		assertThatException().isThrownBy(() -> lockedTransaction(LONG, () -> {
			this.persistence.increment();
			this.persistence.jdbc().update("insert into line values (99)");
		})).withStackTraceContaining("line_tally_fkey");
		assertThat(this.provider.find("tally")).isNull();
		assertThat(this.persistence.amount()).isZero();
		lockedTransaction(LONG, () -> this.persistence.increment());
		assertThat(this.persistence.amount()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void commitWhoseAnswerIsLost(Persistence.Kind kind) {
		use(kind);
		assertThatException().isThrownBy(() -> lockedTransaction(SHORT, () -> {
			this.persistence.increment();
			this.dataSource.failNext(true, "08006");
		})).withStackTraceContaining("answer to the commit is lost");
		assertThat(this.provider.find("tally")).isNotNull();
		assertThat(this.persistence.amount()).isOne();
		lockedTransaction(SHORT, () -> this.persistence.increment());
		assertThat(this.persistence.amount()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void commitDuringWhichTheServerEndsTheSession(Persistence.Kind kind) {
		use(kind);
		this.stack.jdbc().execute("""
				create function end_session() returns trigger language plpgsql as
				'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'""");
		this.stack.jdbc().execute("""
				create constraint trigger at_commit after update on tally deferrable initially deferred
				for each row when (new.amount = 13) execute function end_session()""");
		assertThatException().isThrownBy(() -> lockedTransaction(SHORT,
				() -> this.persistence.jdbc().update("update tally set amount = 13 where id = 1")));
		assertThat(this.provider.find("tally")).isNotNull();
		assertThat(this.persistence.amount()).isZero();
		lockedTransaction(SHORT, () -> this.persistence.increment());
		assertThat(this.persistence.amount()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void commitThatTheDatabaseItselfIsNotSureOf(Persistence.Kind kind) {
		use(kind);
		assertThatException().isThrownBy(() -> lockedTransaction(SHORT, () -> {
			this.persistence.increment();
			this.dataSource.failNext(true, "40003");
		}));
		assertThat(this.provider.find("tally")).isNotNull();
	}

	@ParameterizedTest
	@EnumSource
	void commitThatASerializationFailureRefuses(Persistence.Kind kind) {
		use(kind);
		assertThatException().isThrownBy(() -> lockedTransaction(LONG, () -> {
			this.persistence.increment();
			this.dataSource.failNext(false, "40001");
		}));
		assertThat(this.provider.find("tally")).isNull();
		assertThat(this.persistence.amount()).isZero();
	}

	@Test
	void failureOfTheFlushIsNoCommit() {
		use(Persistence.Kind.JPA);
		assertThatException().isThrownBy(() -> lockedTransaction(LONG, () -> {
			this.persistence.increment();
			Tally.refuseNextUpdate();
		})).withStackTraceContaining("Refused by a callback");
		assertThat(this.provider.find("tally")).isNull();
		assertThat(this.persistence.amount()).isZero();
	}

	@Test
	void laterFailureComesAfterAnEarlierCommitIsSettled() {
		use(Persistence.Kind.JDBC);
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(SHORT, (context) -> {
				loseAnAnswer();
				transaction().executeWithoutResult(
						(status) -> this.persistence.jdbc().update("insert into tally values (1, 0)"));
			}));
		assertThat(this.provider.find("tally")).isNull();
	}

	@Test
	void laterCommitSettlesAnEarlierOne() {
		use(Persistence.Kind.JDBC);
		this.stack.locks().executeWithoutResult(LONG, (context) -> {
			loseAnAnswer();
			transaction().executeWithoutResult((status) -> this.persistence.increment());
		});
		assertThat(this.provider.find("tally")).isNull();
		assertThat(this.persistence.amount()).isEqualTo(2);
	}

	@Test
	void laterReadSettlesAnEarlierCommit() {
		use(Persistence.Kind.JDBC);
		TransactionTemplate readOnly = transaction();
		readOnly.setReadOnly(true);
		this.stack.locks().executeWithoutResult(LONG, (context) -> {
			loseAnAnswer();
			readOnly.executeWithoutResult((status) -> assertThat(this.persistence.amount()).isOne());
		});
		assertThat(this.provider.find("tally")).isNull();
	}

	@Test
	void databaseThatIsGoneAfterACommitIsNamedAsTheCause() {
		use(Persistence.Kind.JDBC);
		assertThatExceptionOfType(CannotCreateTransactionException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(SHORT, (context) -> {
				loseAnAnswer();
				this.away.set(true);
				transaction().executeWithoutResult((status) -> this.persistence.increment());
			}))
			.withMessageContaining("'tally'")
			.withStackTraceContaining("the database is away");
		assertThat(this.persistence.amount()).isOne();
	}

	@Test
	void savepointSettlesNothing() {
		use(Persistence.Kind.JDBC);
		TransactionTemplate inner = transaction();
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		TransactionTemplate savepoint = transaction();
		savepoint.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		lockedTransaction(SHORT, () -> {
			assertThatExceptionOfType(DataAccessResourceFailureException.class)
				.isThrownBy(() -> inner.executeWithoutResult((status) -> this.dataSource.failNext(true, "08006")));
			this.away.set(true);
			savepoint.executeWithoutResult((status) -> this.persistence.increment());
			this.away.set(false);
		});
		assertThat(this.persistence.amount()).isOne();
	}

	private void loseAnAnswer() {
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> transaction().executeWithoutResult((status) -> {
				this.persistence.increment();
				this.dataSource.failNext(true, "08006");
			}));
	}

	private void use(Persistence.Kind kind) {
		Tally.createTable(new JdbcTemplate(this.pool));
		this.persistence = kind.on(this.dataSource);
		this.stack.guard(this.persistence.manager());
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.persistence.manager());
	}

	private void lockedTransaction(LockRequest request, Runnable work) {
		this.stack.locks()
			.executeWithoutResult(request,
					(FencingContext context) -> transaction().executeWithoutResult((status) -> work.run()));
	}

}
