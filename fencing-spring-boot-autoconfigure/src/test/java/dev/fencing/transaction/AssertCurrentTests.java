package dev.fencing.transaction;

import java.util.function.BiConsumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
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
 * Wherever an owner asks whether it is the current one, the database tells what is
 * committed now, and not what an open transaction sees.
 */
@ParameterizedClass
@EnumSource
@Timeout(60)
class AssertCurrentTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

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
		this.stack.assertUnused("counter");
		this.stack.close();
	}

	@Test
	void outsideATransaction() {
		this.stack.locks().executeWithoutResult(REQUEST, this::askBeforeAndAfterTheTakeOver);
	}

	@ParameterizedTest
	@EnumSource(names = { "READ_COMMITTED", "REPEATABLE_READ" })
	void insideATransaction(Isolation isolation) {
		TransactionTemplate transaction = this.stack.transaction();
		transaction.setIsolationLevel(isolation.value());
		underLease(transaction, (context, status) -> {
			// From here on it sees one state, at the higher level
			this.stack.jdbc().queryForList("select fencing_token from FENCING_GENERATION");
			askBeforeAndAfterTheTakeOver(context);
			status.setRollbackOnly();
		});
	}

	@ParameterizedTest
	@EnumSource(names = { "REQUIRES_NEW", "NOT_SUPPORTED", "NESTED" })
	void whileAnotherTransactionIsAround(Propagation propagation) {
		TransactionTemplate inner = this.stack.transaction();
		inner.setPropagationBehavior(propagation.value());
		underLease(this.stack.transaction(), (context, transaction) -> {
			inner.executeWithoutResult((status) -> {
				askBeforeAndAfterTheTakeOver(context);
				if (propagation != Propagation.NOT_SUPPORTED) {
					status.setRollbackOnly();
				}
			});
			transaction.setRollbackOnly();
		});
	}

	@Test
	void insideAReadOnlyTransactionAReplicaMightAnswer() {
		TransactionTemplate readOnly = this.stack.transaction();
		readOnly.setReadOnly(true);
		TransactionTemplate notSupported = this.stack.transaction();
		notSupported.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		underLease(readOnly, (context, transaction) -> {
			assertThatExceptionOfType(FencingException.class).isThrownBy(context::assertCurrent)
				.withMessageContaining("read-only");
			notSupported.executeWithoutResult((status) -> context.assertCurrent());
		});
	}

	@Test
	void beforeAndAfterTheGuardAndAfterTheCommit() {
		StringBuilder asked = new StringBuilder();
		this.stack.transactionManager().addListener(new TransactionExecutionListener() {
			@Override
			public void beforeCommit(TransactionExecution transaction) {
				FencingContext.require().assertCurrent();
				asked.append("guarded ");
			}
		});
		underLease(this.stack.transaction(), (context, transaction) -> {
			this.stack.jdbc().update("update counter set amount = 1");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void beforeCommit(boolean readOnly) {
					context.assertCurrent();
					asked.append("before ");
				}

				@Override
				public void afterCommit() {
					askBeforeAndAfterTheTakeOver(context);
					asked.append("after");
				}
			});
		});
		assertThat(asked).hasToString("before guarded after");
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void afterTheRollback() {
		underLease(this.stack.transaction(), (context, transaction) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					askBeforeAndAfterTheTakeOver(context);
				}
			});
			transaction.setRollbackOnly();
		});
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void insideATransactionThatTheLeaseHasJoined() {
		TransactionTemplate transaction = this.stack.transaction();
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		transaction.executeWithoutResult((status) -> {
			FencingContext owner = this.stack.locks(ActiveTransaction.JOIN).execute(REQUEST, (context) -> {
				context.assertCurrent();
				return context;
			});
			askBeforeAndAfterTheTakeOver(owner);
			status.setRollbackOnly();
		});
	}

	private void askBeforeAndAfterTheTakeOver(FencingContext context) {
		context.assertCurrent();
		this.stack.takeOver(context);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(context::assertCurrent)
			.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.LEASE));
		assertThat(this.stack.rejections()).hasSize(1);
	}

	private void underLease(TransactionTemplate transaction, BiConsumer<FencingContext, TransactionStatus> work) {
		this.stack.locks()
			.executeWithoutResult(REQUEST,
					(context) -> transaction.executeWithoutResult((status) -> work.accept(context, status)));
	}

}
