package dev.fencing.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.FencingException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Under stricter isolation PostgreSQL answers a guard with an error that a stale owner
 * and a current one get alike: which it was is told after the rollback.
 */
class IsolationTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final BeforeRelease provider = new BeforeRelease();

	private final FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, this.provider, true).withCounter();

	@AfterEach
	void close() {
		assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
		assertThat(this.provider.find("counter")).isNull();
		this.stack.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_REPEATABLE_READ,
			Connection.TRANSACTION_SERIALIZABLE })
	void commitOfTheCurrentOwner(int isolation) {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> increment(isolation, null));
		assertThat(this.stack.counter()).isOne();
		assertThat(this.stack.rejections()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE })
	void commitOfAStaleOwnerIsClassifiedAfterTheRollback(int isolation) {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST, (context) -> increment(isolation, () -> this.stack.takeOver(context))))
			.satisfies((ex) -> {
				assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
				assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION);
				assertThat(ex.getAcceptedToken()).isGreaterThan(ex.getRejectedToken());
				assertThat(ex.getCause()).isInstanceOf(ConcurrencyFailureException.class)
					.isNotInstanceOf(FencingException.class);
			});
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void staleOwnerThatHidesTheFailureIsCountedAllTheSame() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(
					() -> increment(Connection.TRANSACTION_REPEATABLE_READ, () -> this.stack.takeOver(context)));
		});
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void currentOwnerWhoseGuardFailsIsNotCalledStale() throws SQLException {
		assertGuardFailsUnderLock((other, owner) -> {
		});
	}

	@Test
	void currentOwnerIsNotCalledStaleForItsSuccessor() throws SQLException {
		// The next one in line has the lease as soon as it is given back
		assertGuardFailsUnderLock((other, owner) -> this.provider.action = () -> {
			rollback(other);
			this.stack.takeOver(owner);
		});
	}

	@Test
	void serializationFailureInTheBodyStaysWhatItIs() {
		this.stack.jdbc().execute("create table shift (doctor int primary key, on_call boolean not null)");
		this.stack.jdbc().execute("insert into shift values (1, true), (2, true)");
		TransactionTemplate serializable = transaction(Connection.TRANSACTION_SERIALIZABLE);
		TransactionTemplate other = transaction(Connection.TRANSACTION_SERIALIZABLE);
		other.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
		assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> serializable.executeWithoutResult((status) -> {
				countOnCall();
				other.executeWithoutResult((inner) -> {
					countOnCall();
					this.stack.jdbc().update("update shift set on_call = false where doctor = 1");
				});
				this.stack.jdbc().update("update shift set on_call = false where doctor = 2");
			}))).isNotInstanceOf(FencingException.class);
		assertThat(this.stack.rejections()).isEmpty();
	}

	private void assertGuardFailsUnderLock(BiConsumer<Connection, FencingContext> preparation) throws SQLException {
		try (Connection other = this.stack.pool().getConnection()) {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
					preparation.accept(other, context);
					increment(Connection.TRANSACTION_READ_COMMITTED, () -> {
						lockRegistry(other);
						this.stack.jdbc().execute("set local lock_timeout = '10ms'");
					});
				}))
				.isNotInstanceOf(FencingException.class);
			rollback(other);
		}
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).isEmpty();
	}

	private void countOnCall() {
		this.stack.jdbc().queryForObject("select count(*) from shift where on_call", Integer.class);
	}

	private void increment(int isolation, @Nullable Runnable afterwards) {
		transaction(isolation).executeWithoutResult((status) -> {
			this.stack.jdbc().update("update counter set amount = amount + 1");
			if (afterwards != null) {
				afterwards.run();
			}
		});
	}

	private TransactionTemplate transaction(int isolation) {
		TransactionTemplate template = this.stack.transaction();
		template.setIsolationLevel(isolation);
		return template;
	}

	private static void lockRegistry(Connection connection) {
		try (Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("select * from FENCING_GENERATION for update");
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void rollback(Connection connection) {
		try {
			if (!connection.getAutoCommit()) {
				connection.rollback();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Lets something happen just before a lease is given back.
	 */
	private static final class BeforeRelease extends DelegatingLeaseProvider {

		private @Nullable Runnable action;

		BeforeRelease() {
			super(new InMemoryLeaseProvider());
		}

		@Override
		public boolean release(Lease lease, Duration blockedFor) {
			if (this.action != null) {
				this.action.run();
			}
			return super.release(lease, blockedFor);
		}

	}

}
