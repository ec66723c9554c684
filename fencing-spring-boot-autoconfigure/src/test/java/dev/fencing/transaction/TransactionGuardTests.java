package dev.fencing.transaction;

import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whichever manager and propagation a transaction has: a stale owner's is refused and
 * rolled back, a current owner's is committed.
 */
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "MARIADB" })
class TransactionGuardTests {

	private static final LockRequest REQUEST = LockRequest.of("tally");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	@Parameter
	TestDatabase database;

	private FencedStack stack;

	private Persistence persistence;

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		this.stack.assertUnused("tally");
		this.persistence.close();
		this.stack.close();
	}

	@ParameterizedTest
	@EnumSource
	void commitOfTheCurrentOwner(Persistence.Kind kind) {
		use(kind);
		locked((context) -> transaction().executeWithoutResult((status) -> this.persistence.increment()));
		assertThat(this.persistence.amount()).isOne();
		assertThat(this.stack.rejections()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void commitOfAStaleOwner(Persistence.Kind kind) {
		use(kind);
		assertRefused((context) -> transaction().executeWithoutResult((status) -> {
			this.persistence.increment();
			this.stack.takeOver(context);
		}));
		assertThat(this.persistence.amount()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void controlWithoutGuardIsCommitted(Persistence.Kind kind) {
		open();
		this.persistence = kind.on(this.stack.pool());
		locked((context) -> transaction().executeWithoutResult((status) -> {
			this.persistence.increment();
			this.stack.takeOver(context);
		}));
		assertThat(this.persistence.amount()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void secondTransactionOfAnOwnerThatWentStaleAfterTheFirst(Persistence.Kind kind) {
		use(kind);
		assertRefused((context) -> {
			transaction().executeWithoutResult((status) -> this.persistence.increment());
			this.stack.takeOver(context);
			transaction().executeWithoutResult((status) -> this.persistence.increment());
		});
		assertThat(this.persistence.amount()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void innerTransactionOfAStaleOwner(Persistence.Kind kind) {
		use(kind);
		assertRefused((context) -> transaction().executeWithoutResult((outer) -> {
			this.stack.takeOver(context);
			requiresNew().executeWithoutResult((inner) -> this.persistence.increment());
		}));
		assertThat(this.persistence.amount()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void outerTransactionOfAnOwnerThatWentStaleAfterTheInnerOne(Persistence.Kind kind) {
		use(kind);
		assertRefused((context) -> transaction().executeWithoutResult((outer) -> {
			requiresNew().executeWithoutResult((inner) -> this.persistence.increment());
			this.persistence.increment();
			this.stack.takeOver(context);
		}));
		assertThat(this.persistence.amount()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void innerAndOuterTransactionOfTheCurrentOwner(Persistence.Kind kind) {
		use(kind);
		locked((context) -> transaction().executeWithoutResult((outer) -> {
			requiresNew().executeWithoutResult((inner) -> this.persistence.increment());
			this.persistence.increment();
		}));
		assertThat(this.persistence.amount()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JPA")
	void savepointOfAStaleOwner(Persistence.Kind kind) {
		use(kind);
		TransactionTemplate nested = transaction();
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		assertRefused((context) -> transaction().executeWithoutResult((outer) -> {
			nested.executeWithoutResult((inner) -> {
				incrementByJdbc();
				this.stack.takeOver(context);
			});
			assertThat(this.persistence.amount()).isOne();
		}));
		assertThat(this.persistence.amount()).isZero();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JPA")
	void savepointThatIsRolledBackLeavesTheGuardToTheTransaction(Persistence.Kind kind) {
		use(kind);
		TransactionTemplate nested = transaction();
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		Consumer<FencingContext> work = (context) -> transaction().executeWithoutResult((outer) -> {
			incrementByJdbc();
			nested.executeWithoutResult((inner) -> {
				incrementByJdbc();
				inner.setRollbackOnly();
			});
		});
		locked(work);
		assertThat(this.persistence.amount()).isOne();
		assertRefused((context) -> {
			this.stack.takeOver(context);
			work.accept(context);
		});
		assertThat(this.persistence.amount()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void transactionThatWasSuspendedForCodeWithoutOne(Persistence.Kind kind) {
		use(kind);
		TransactionTemplate notSupported = transaction();
		notSupported.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		assertRefused((context) -> transaction().executeWithoutResult((outer) -> {
			this.persistence.increment();
			notSupported.executeWithoutResult((none) -> {
				assertThat(this.persistence.amount()).isZero();
				this.stack.takeOver(context);
			});
		}));
		assertThat(this.persistence.amount()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void transactionWithoutSynchronization(Persistence.Kind kind) {
		use(kind);
		this.persistence.manager()
			.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		assertRefused((context) -> transaction().executeWithoutResult((status) -> {
			incrementByJdbc();
			this.stack.takeOver(context);
		}));
		assertThat(this.persistence.amount()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "DATA_SOURCE, true", "JDBC, true", "JPA, true", "DATA_SOURCE, false", "JDBC, false", "JPA, false" })
	void transactionThatHasTimedOutBeforeItsGuard(Persistence.Kind kind, boolean synchronization) {
		use(kind);
		if (!synchronization) {
			this.persistence.manager()
				.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		}
		assertRefused((context) -> transaction().executeWithoutResult((status) -> {
			incrementByJdbc();
			this.stack.takeOver(context);
			timeOut();
		}));
		assertThat(this.persistence.amount()).isZero();
		assertThatExceptionOfType(QueryTimeoutException.class)
			.isThrownBy(() -> locked((context) -> transaction().executeWithoutResult((status) -> {
				incrementByJdbc();
				timeOut();
			})))
			.withCauseInstanceOf(TransactionTimedOutException.class);
		assertThat(this.persistence.amount()).isZero();
		assertThat(this.stack.rejections().stream().map(Rejection::reason)).doesNotContain(Rejection.Reason.FOREIGN);
	}

	private void use(Persistence.Kind kind) {
		open();
		this.persistence = kind.on(this.stack.pool());
		this.stack.guard(this.persistence.manager());
	}

	private void open() {
		this.stack = FencedStack.on(this.database, this.provider, true);
		Tally.createTable(this.stack.jdbc());
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.persistence.manager());
	}

	private TransactionTemplate requiresNew() {
		TransactionTemplate template = transaction();
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	private void timeOut() {
		ConnectionHolder holder = (ConnectionHolder) TransactionSynchronizationManager.getResource(this.stack.pool());
		assertThat(holder).isNotNull();
		holder.setTimeoutInMillis(-1);
	}

	private void incrementByJdbc() {
		this.persistence.jdbc().update("update tally set amount = amount + 1 where id = 1");
	}

	private void locked(Consumer<FencingContext> work) {
		this.stack.locks().executeWithoutResult(REQUEST, work);
	}

	private void assertRefused(Consumer<FencingContext> work) {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> locked(work)).satisfies((ex) -> {
			assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION);
			assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
		});
		assertThat(this.stack.rejections()).hasSize(1);
	}

}
