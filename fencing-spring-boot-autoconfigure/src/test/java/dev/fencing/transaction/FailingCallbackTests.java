package dev.fencing.transaction;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.LockRequest;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A before-commit callback that throws what Spring takes for the failure of the commit
 * itself: Spring does not roll back then, and sets the connection back to auto-commit,
 * which commits what was written, past the guard.
 */
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "MARIADB" })
class FailingCallbackTests {

	private static final LockRequest REQUEST = LockRequest.of("counter").leaseTime(Duration.ofMillis(500));

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	@Parameter
	TestDatabase database;

	private FencedStack stack;

	@BeforeEach
	void open() {
		this.stack = FencedStack.on(this.database, this.provider, true).withCounter();
	}

	@AfterEach
	void close() {
		this.stack.close();
	}

	@ParameterizedTest
	@MethodSource("combinations")
	void nothingOfAStaleOwnerIsCommitted(Persistence.Kind kind, Failure failure) {
		try (Persistence persistence = use(kind)) {
			assertThatExceptionOfType(failure.exception.getClass()).isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST,
						(context) -> increment(persistence, failure.exception, () -> this.stack.takeOver(context))));
			assertThat(this.stack.counter()).isZero();
		}
	}

	@ParameterizedTest
	@MethodSource("combinations")
	void leaseIsGivenBack(Persistence.Kind kind, Failure failure) {
		try (Persistence persistence = use(kind)) {
			assertThatExceptionOfType(failure.exception.getClass()).isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST, (context) -> increment(persistence, failure.exception, () -> {
				})));
			assertThat(OpenTransactions.count()).isZero();
			assertThat(this.provider.find("counter")).isNull();
			assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
		}
	}

	@ParameterizedTest
	@EnumSource
	void otherListenerThatFailsAfterTheGuardKeepsNothingOpen(Persistence.Kind kind) {
		try (Persistence persistence = use(kind)) {
			persistence.manager().addListener(new TransactionExecutionListener() {
				@Override
				public void beforeCommit(TransactionExecution transaction) {
					throw Failure.UNKNOWN_OUTCOME.exception;
				}
			});
			assertThatExceptionOfType(TransactionException.class).isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST, (context) -> new TransactionTemplate(persistence.manager())
					.executeWithoutResult((status) -> persistence.jdbc().update("update counter set amount = 1"))));
			assertThat(OpenTransactions.count()).isZero();
			Awaitility.await().until(() -> this.stack.locks().tryExecuteWithoutResult(REQUEST, (context) -> {
			}));
		}
	}

	@ParameterizedTest
	@EnumSource
	void otherListenerThatFailsBeforeTheRollbackCommitsNothing(Persistence.Kind kind) {
		try (Persistence persistence = use(kind)) {
			persistence.manager().addListener(new TransactionExecutionListener() {
				@Override
				public void beforeRollback(TransactionExecution transaction) {
					throw new UnsupportedOperationException("audit");
				}
			});
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST,
						(context) -> new TransactionTemplate(persistence.manager()).executeWithoutResult((status) -> {
							persistence.jdbc().update("update counter set amount = 1");
							status.setRollbackOnly();
						})));
			assertThat(this.stack.counter()).isZero();
			assertThat(OpenTransactions.count()).isZero();
			assertThat(this.provider.find("counter")).isNull();
		}
	}

	static Stream<Arguments> combinations() {
		return Arrays.stream(Persistence.Kind.values())
			.flatMap((kind) -> Arrays.stream(Failure.values()).map((failure) -> Arguments.of(kind, failure)));
	}

	private Persistence use(Persistence.Kind kind) {
		Persistence persistence = kind.on(this.stack.pool());
		this.stack.guard(persistence.manager());
		return persistence;
	}

	private void increment(Persistence persistence, RuntimeException failure, Runnable beforeCommit) {
		new TransactionTemplate(persistence.manager()).executeWithoutResult((status) -> {
			persistence.jdbc().update("update counter set amount = amount + 1");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void beforeCommit(boolean readOnly) {
					beforeCommit.run();
					throw failure;
				}
			});
		});
	}

	enum Failure {

		UNKNOWN_OUTCOME(new TransactionSystemException("of an inner transaction")),

		ROLLED_BACK(new UnexpectedRollbackException("of an inner transaction")),

		ANY_OTHER(new UnsupportedOperationException("which is rolled back by Spring itself"));

		private final RuntimeException exception;

		Failure(RuntimeException exception) {
			this.exception = exception;
		}

	}

}
