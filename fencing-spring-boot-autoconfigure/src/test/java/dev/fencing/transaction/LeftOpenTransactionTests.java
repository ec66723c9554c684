package dev.fencing.transaction;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import dev.fencing.FencingContext;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locked code that opens a transaction, and returns or throws without completing it.
 */
class LeftOpenTransactionTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, this.provider, true).withCounter();

	private final List<TransactionStatus> open = new ArrayList<>();

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		assertThat(this.provider.find("counter")).isNull();
		assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
		this.stack.close();
	}

	@Test
	void leaseLastsUntilTheCommit() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> beginAndIncrement());
		assertThat(this.provider.find("counter")).isNotNull();
		commit(0);
		assertThat(this.provider.find("counter")).isNull();
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void leaseLastsUntilTheRollback() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> beginAndIncrement());
		this.stack.transactionManager().rollback(this.open.get(0));
		assertThat(this.provider.find("counter")).isNull();
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void leaseLastsWhenTheCodeThrows() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
				beginAndIncrement();
				throw new UnsupportedOperationException("body");
			}))
			.withMessage("body");
		assertThat(this.provider.find("counter")).isNotNull();
		this.stack.transactionManager().rollback(this.open.get(0));
	}

	@Test
	void commitOfAnOwnerThatWentStaleIsRefused() {
		FencingContext[] owner = new FencingContext[1];
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			owner[0] = context;
			beginAndIncrement();
		});
		this.stack.takeOver(owner[0]);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> commit(0));
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void staleOwnerIsCountedWhereTheGuardItselfFails() {
		FencingContext[] owner = new FencingContext[1];
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			owner[0] = context;
			beginAndIncrement(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		});
		this.stack.takeOver(owner[0]);
		assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(() -> commit(0));
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void innerTransactionThatIsLeftOpenTooIsGuardedToo() {
		FencingContext[] owner = new FencingContext[1];
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			owner[0] = context;
			begin(TransactionDefinition.ISOLATION_DEFAULT);
			beginAndIncrement();
		});
		this.stack.takeOver(owner[0]);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> commit(1));
		assertThat(this.stack.counter()).isZero();
		assertThat(this.provider.find("counter")).isNotNull();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> commit(0));
	}

	@Test
	void leaseLastsUntilAllTransactionsAreCompleted() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			begin(TransactionDefinition.ISOLATION_DEFAULT);
			beginAndIncrement();
		});
		commit(1);
		assertThat(this.provider.find("counter")).isNotNull();
		commit(0);
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void noOtherLeaseIsTakenInsideIt() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> beginAndIncrement());
		assertThatExceptionOfType(LockInsideTransactionException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(LockRequest.of("other"), (context) -> {
			}));
		commit(0);
	}

	@Test
	void sameLeaseIsBoundAgainInsideIt() {
		FencingContext[] owner = new FencingContext[1];
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			owner[0] = context;
			beginAndIncrement();
		});
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			assertThat(context).isSameAs(owner[0]).isSameAs(FencingContext.require());
			begin(TransactionDefinition.ISOLATION_DEFAULT);
		});
		assertThat(FencingContext.current()).isEmpty();
		commit(1);
		assertThat(this.provider.find("counter")).isNotNull();
		commit(0);
	}

	private void beginAndIncrement() {
		beginAndIncrement(TransactionDefinition.ISOLATION_DEFAULT);
	}

	private void beginAndIncrement(int isolation) {
		begin(isolation);
		this.stack.jdbc().update("update counter set amount = amount + 1");
	}

	private void begin(int isolation) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(
				TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		definition.setIsolationLevel(isolation);
		this.open.add(this.stack.transactionManager().getTransaction(definition));
	}

	private void commit(int index) {
		this.stack.transactionManager().commit(this.open.get(index));
	}

}
