package dev.fencing.transaction;

import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Work in a transaction of its own (REQUIRES_NEW) right before the commit of another one:
 * from a synchronization, or from a listener of the transaction manager that comes before
 * or after the guard.
 */
@ParameterizedClass
@EnumSource
@Timeout(60)
class BeforeCommitTests {

	private static final LockRequest REQUEST = LockRequest.of("tally");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, this.provider, true);

	@Parameter
	Persistence.Kind kind;

	private Persistence persistence;

	@BeforeEach
	void open() {
		Tally.createTable(this.stack.jdbc());
		this.stack.jdbc().execute("create table audit (what text)");
		this.persistence = this.kind.on(this.stack.pool());
	}

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		this.stack.assertUnused("tally");
		this.persistence.close();
		this.stack.close();
	}

	@Test
	void innerTransactionOfASynchronizationIsCommittedFirst() {
		guard();
		incrementUnderLease((context) -> beforeCommit(this::audit));
		assertWritten(1, 1);
	}

	@Test
	void innerTransactionOfASynchronizationIsGuarded() {
		guard();
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> incrementUnderLease((context) -> beforeCommit(() -> {
				this.stack.takeOver(context);
				audit();
			})));
		assertWritten(0, 0);
	}

	@Test
	void outerTransactionIsGuardedAfterTheInnerOneOfASynchronization() {
		guard();
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> incrementUnderLease((context) -> beforeCommit(() -> {
				audit();
				this.stack.takeOver(context);
			})));
		assertWritten(0, 1);
	}

	@Test
	void innerTransactionOfAListenerBeforeTheGuard() {
		listen((outer) -> audit());
		guard();
		incrementUnderLease((context) -> {
		});
		assertWritten(1, 1);
	}

	@Test
	void innerTransactionOfAListenerBeforeTheGuardIsGuarded() {
		listen((outer) -> {
			this.stack.takeOver(FencingContext.require());
			audit();
		});
		guard();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> incrementUnderLease((context) -> {
		}));
		assertWritten(0, 0);
	}

	@Test
	void outerTransactionIsGuardedAfterTheInnerOneOfAListener() {
		listen((outer) -> {
			audit();
			this.stack.takeOver(FencingContext.require());
		});
		guard();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> incrementUnderLease((context) -> {
		}));
		assertWritten(0, 1);
	}

	@Test
	void innerTransactionOfAListenerAfterTheGuardIsRefusedAndDoesNotHang() {
		guard();
		listen((outer) -> audit());
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> incrementUnderLease((context) -> {
			}))
			.withMessageContaining("inside of another one");
		assertWritten(0, 0);
		assertThat(this.stack.rejections()).isEmpty();
	}

	private void guard() {
		this.stack.guard(this.persistence.manager());
	}

	/**
	 * Listen to the first transaction only, not to those that the listener itself begins.
	 */
	private void listen(Consumer<TransactionExecution> listener) {
		this.persistence.manager().addListener(new TransactionExecutionListener() {

			private boolean told;

			@Override
			public void beforeCommit(TransactionExecution transaction) {
				if (!this.told) {
					this.told = true;
					listener.accept(transaction);
				}
			}

		});
	}

	private static void beforeCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void beforeCommit(boolean readOnly) {
				work.run();
			}
		});
	}

	private void incrementUnderLease(Consumer<FencingContext> before) {
		this.stack.locks()
			.executeWithoutResult(REQUEST,
					(context) -> new TransactionTemplate(this.persistence.manager()).executeWithoutResult((status) -> {
						before.accept(context);
						this.persistence.increment();
					}));
	}

	private void audit() {
		TransactionTemplate requiresNew = new TransactionTemplate(this.persistence.manager());
		requiresNew.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		requiresNew
			.executeWithoutResult((status) -> this.persistence.jdbc().update("insert into audit values ('written')"));
	}

	private void assertWritten(int amount, int audits) {
		assertThat(this.persistence.amount()).isEqualTo(amount);
		assertThat(this.persistence.jdbc().queryForObject("select count(*) from audit", Integer.class))
			.isEqualTo(audits);
	}

}
