package dev.fencing.transaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FaultyCommits;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.testsupport.Wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A lease that is taken inside an open transaction, where that is allowed: it is kept
 * until the transaction is completed, and the transaction is guarded by it.
 */
@ParameterizedClass
@EnumSource
class JoinedTransactionTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	@Parameter
	TestDatabase database;

	private FencedStack stack;

	private FencedLockTemplate locks;

	private final List<FencingContext> ended = new CopyOnWriteArrayList<>();

	@BeforeEach
	void open() {
		this.stack = FencedStack.on(this.database, this.provider, true).withCounter();
		this.locks = this.stack.locks(ActiveTransaction.JOIN, this.ended::add);
	}

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		assertThat(FencingContext.current()).isEmpty();
		assertThat(this.stack.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
		this.stack.close();
	}

	@Test
	void leaseIsGivenBackAfterTheCommit() {
		List<String> seen = new ArrayList<>();
		readCommitted().executeWithoutResult((status) -> {
			afterCompletion((outcome) -> seen.add("counter " + this.stack.counter() + ", " + lease()));
			this.locks.executeWithoutResult(REQUEST, (context) -> increment());
			seen.add(lease());
		});
		assertThat(seen).containsExactly("held", "counter 1, held");
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	void leaseIsGivenBackAfterTheRollback() {
		List<String> seen = new ArrayList<>();
		readCommitted().executeWithoutResult((status) -> {
			afterCompletion((outcome) -> seen.add(lease()));
			this.locks.executeWithoutResult(REQUEST, (context) -> increment());
			status.setRollbackOnly();
		});
		assertThat(seen).containsExactly("held");
		assertThat(lease()).isEqualTo("free");
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void leaseIsKeptWhenTheLockedCodeThrows() {
		readCommitted().executeWithoutResult((status) -> {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> this.locks.executeWithoutResult(REQUEST, (context) -> {
					increment();
					throw new UnsupportedOperationException();
				}));
			assertThat(lease()).isEqualTo("held");
		});
		assertThat(lease()).isEqualTo("free");
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void leaseOfATransactionWhoseOutcomeIsUnknownIsLeftToExpire() {
		FaultyCommits faulty = new FaultyCommits(this.stack.pool());
		AbstractPlatformTransactionManager manager = this.stack.guard(new DataSourceTransactionManager(faulty));
		TransactionTemplate transaction = readCommitted(manager);
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
				this.locks.executeWithoutResult(REQUEST,
						(context) -> new JdbcTemplate(faulty).update("update counter set amount = amount + 1"));
				faulty.failNext(true, "08006");
			}));
		assertThat(lease()).isEqualTo("held");
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void commitOfAnOwnerThatWentStaleAfterTheLockedCodeIsRefused() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> readCommitted().executeWithoutResult((status) -> {
				increment();
				this.locks.executeWithoutResult(REQUEST, (context) -> {
					increment();
					this.stack.takeOver(context);
				});
				increment();
			}))
			.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION));
		assertThat(this.stack.counter()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	void helperWritesInTheOuterTransaction() {
		FencedJdbcTemplate fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(),
				this.stack.registry(), "fencing_token");
		readCommitted().executeWithoutResult((status) -> {
			this.locks.executeWithoutResult(REQUEST,
					(context) -> fencedJdbc.update("update counter set amount = amount + 1"));
			assertThat(this.stack.counter()).isOne();
			status.setRollbackOnly();
		});
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	@Timeout(60)
	void sameResourceIsEnteredAgainWithoutWaiting() {
		List<FencingContext> owners = new ArrayList<>();
		readCommitted().executeWithoutResult((status) -> {
			for (int i = 0; i < 2; i++) {
				this.locks.executeWithoutResult(REQUEST, (context) -> {
					assertThat(FencingContext.require()).isSameAs(context);
					owners.add(context);
					increment();
				});
				assertThat(FencingContext.current()).isEmpty();
			}
			assertThat(this.locks.tryExecute(REQUEST, (context) -> owners.add(context))).contains(true);
		});
		assertThat(owners).hasSize(3).containsOnly(owners.get(0));
		assertThat(this.stack.counter()).isEqualTo(2);
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	@Timeout(60)
	void sameResourceInAnInnerTransactionGuardsThatToo() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> readCommitted().executeWithoutResult((status) -> {
				this.locks.executeWithoutResult(REQUEST, (context) -> {
				});
				requiresNew().executeWithoutResult((inner) -> {
					this.locks.executeWithoutResult(REQUEST, (context) -> increment());
					assertThat(lease()).isEqualTo("held");
				});
				assertThat(lease()).isEqualTo("held");
				requiresNew().executeWithoutResult((inner) -> this.locks.executeWithoutResult(REQUEST, (context) -> {
					increment();
					this.stack.takeOver(context);
				}));
			}));
		assertThat(this.stack.counter()).isOne();
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	void leaseThatAnInnerTransactionTookEndsWithThatOne() {
		readCommitted().executeWithoutResult((status) -> {
			requiresNew().executeWithoutResult((inner) -> {
				this.locks.executeWithoutResult(REQUEST, (context) -> increment());
				assertThat(lease()).isEqualTo("held");
			});
			assertThat(lease()).isEqualTo("free");
		});
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void severalLeasesAreGivenBackTogether() {
		LockRequest other = LockRequest.of("other");
		readCommitted().executeWithoutResult((status) -> {
			this.locks.executeWithoutResult(REQUEST, (context) -> increment());
			this.locks.executeWithoutResult(other, (context) -> increment());
			assertThat(lease()).isEqualTo("held");
			assertThat(this.provider.find("other")).isNotNull();
		});
		assertThat(lease()).isEqualTo("free");
		assertThat(this.provider.find("other")).isNull();
	}

	@Test
	@Timeout(60)
	void leasesThatWereTakenOneByOneAreEnteredAgainTogether() {
		LockRequest pair = LockRequest.of("pair");
		readCommitted().executeWithoutResult((status) -> {
			this.locks.executeWithoutResult(pair.key(1), (context) -> increment());
			FencingContext second = this.locks.execute(pair.key(2), (context) -> context);
			status.setRollbackOnly();
			this.stack.takeOver(second);
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.locks.executeWithoutResult(pair.keys(List.of(1, 2)),
						(context) -> requiresNew().executeWithoutResult(
								(inner) -> this.stack.jdbc().update("insert into counter (amount) values (99)"))))
				.satisfies((ex) -> assertThat(ex.getResource()).isEqualTo("pair:2"));
		});
		assertThat(this.stack.counter()).isZero();
		assertThat(this.provider.find("pair:1")).isNull();
		assertThat(this.provider.find("pair:2")).isNull();
	}

	@Test
	@Timeout(60)
	void leaseOfTheRunningCodeAndOneThatIsKeptAreEnteredAgainTogether() {
		LockRequest pair = LockRequest.of("pair");
		readCommitted().executeWithoutResult((status) -> {
			FencingContext second = this.locks.execute(pair.key(2), (context) -> context);
			this.locks.executeWithoutResult(pair.key(1), (first) -> {
				assertThat(FencingContextHolder.all()).containsExactly(first);
				this.locks.executeWithoutResult(pair.keys(List.of(1, 2)), (both) -> {
					assertThat(both.resources()).containsExactly("pair:1", "pair:2");
					assertThat(FencingContextHolder.all()).containsExactly(second, first);
				});
				assertThat(FencingContextHolder.all()).containsExactly(first);
			});
		});
		assertThat(this.provider.find("pair:1")).isNull();
		assertThat(this.provider.find("pair:2")).isNull();
	}

	@Test
	@Timeout(60)
	void leaseWhoseTransactionIsCompletedByTheRunningCodeLastsAsLongAsThatCode() {
		TransactionStatus around = begin();
		FencingContext owner = this.locks.execute(REQUEST, (context) -> context);
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			this.stack.transactionManager().commit(around);
			assertThat(lease()).isEqualTo("held");
			assertThat(owner.isLost()).isFalse();
		});
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	@Timeout(60)
	void leaseIsEndedOnceByTheLastOfItsTransactions() {
		TransactionStatus around = begin();
		TransactionStatus[] left = new TransactionStatus[1];
		this.locks.executeWithoutResult(REQUEST, (context) -> {
		});
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			this.stack.transactionManager().commit(around);
			left[0] = begin();
			increment();
		});
		assertThat(lease()).isEqualTo("held");
		assertThat(this.ended).isEmpty();
		this.stack.transactionManager().commit(left[0]);
		assertThat(lease()).isEqualTo("free");
		assertThat(this.ended).hasSize(1);
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void otherListenerThatFailsAfterTheCompletionKeepsNoLease() {
		JdbcTransactionManager manager = new JdbcTransactionManager(this.stack.pool());
		manager.addListener(new TransactionExecutionListener() {
			@Override
			public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
				throw new UnsupportedOperationException("audit");
			}

			@Override
			public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
				throw new UnsupportedOperationException("audit");
			}
		});
		TransactionTemplate transaction = readCommitted(this.stack.guard(manager));
		for (boolean rollback : new boolean[] { false, true }) {
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
					this.locks.executeWithoutResult(REQUEST, (context) -> increment());
					if (rollback) {
						status.setRollbackOnly();
					}
				}));
			assertThat(lease()).isEqualTo("free");
		}
		assertThat(this.stack.counter()).isOne();
		// What is left of the transaction itself goes when the thread is used again
		readCommitted().executeWithoutResult((status) -> assertThat(OpenTransactions.count()).isOne());
	}

	@Test
	void skippedLockLeavesTheOuterTransactionAlone() {
		this.stack.locks()
			.executeWithoutResult(REQUEST,
					(held) -> CompletableFuture.runAsync(() -> readCommitted().executeWithoutResult((status) -> {
						increment();
						assertThat(this.locks.tryExecuteWithoutResult(REQUEST, (context) -> increment())).isFalse();
					})).join());
		assertThat(this.stack.counter()).isOne();
		readCommitted().executeWithoutResult((status) -> {
			assertThat(this.locks.tryExecute(REQUEST, (context) -> this.stack.counter())).contains(1);
			assertThat(lease()).isEqualTo("held");
		});
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	@Timeout(60)
	void renewalGoesOnUntilTheCompletion() {
		readCommitted().executeWithoutResult((status) -> {
			FencingContext context = this.locks.execute(REQUEST.leaseTime(Duration.ofMillis(500)), (owner) -> owner);
			awaitRenewal(context);
			awaitRenewal(context);
			assertThat(context.isLost()).isFalse();
		});
		assertThat(lease()).isEqualTo("free");
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void higherIsolationIsRefused(int isolation) {
		TransactionTemplate transaction = this.stack.transaction();
		transaction.setIsolationLevel(isolation);
		assertRefused(transaction, "READ COMMITTED", "Isolation.READ_COMMITTED", "'counter'");
	}

	@Test
	void isolationThatIsTheDatabasesDefaultIsAskedFor() {
		if (this.database == TestDatabase.MARIADB) {
			assertRefused(this.stack.transaction(), "READ COMMITTED");
		}
		else {
			this.stack.transaction()
				.executeWithoutResult((status) -> this.locks.executeWithoutResult(REQUEST, (context) -> increment()));
			assertThat(this.stack.counter()).isOne();
		}
	}

	@Test
	void transactionOnAnotherDatabaseIsRefused() {
		try (HikariDataSource elsewhere = TestDatabase.H2.pool()) {
			assertRefused(readCommitted(this.stack.guard(new JdbcTransactionManager(elsewhere))),
					"not on the fenced database");
		}
	}

	@Test
	void transactionOfAManagerThatIsNotGuardedIsRefused() {
		assertRefused(readCommitted(new JdbcTransactionManager(this.stack.pool())), "cannot be listened to");
	}

	@Test
	void newLeaseInAnAfterCommitCallbackIsRefused() {
		List<Throwable> refusals = new ArrayList<>();
		readCommitted().executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						refusals.add(assertThatExceptionOfType(LockInsideTransactionException.class)
							.isThrownBy(() -> JoinedTransactionTests.this.locks.executeWithoutResult(REQUEST,
									(context) -> increment()))
							.actual());
						requiresNew().executeWithoutResult((inner) -> JoinedTransactionTests.this.locks
							.executeWithoutResult(REQUEST, (context) -> increment()));
					}
				}));
		assertThat(refusals).singleElement()
			.satisfies((refusal) -> assertThat(refusal).hasMessageContaining("REQUIRES_NEW"));
		assertThat(this.stack.counter()).isOne();
		assertThat(lease()).isEqualTo("free");
	}

	@ParameterizedTest
	@EnumSource
	void keptLeaseIsNotEnteredAgainPastTheGuard(ActiveTransaction mode) {
		List<Throwable> refusals = new ArrayList<>();
		FencedLockTemplate again = this.stack.locks(mode);
		readCommitted().executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					refusals.add(assertThatExceptionOfType(LockInsideTransactionException.class)
						.isThrownBy(() -> again.executeWithoutResult(REQUEST, (context) -> {
							JoinedTransactionTests.this.stack.takeOver(context);
							// Joins the transaction that is over
							readCommitted().executeWithoutResult((joined) -> increment());
						}))
						.actual());
					refusals.add(assertThatExceptionOfType(LockInsideTransactionException.class)
						.isThrownBy(() -> again.tryExecute(REQUEST, (context) -> "ran"))
						.actual());
				}
			});
			this.locks.executeWithoutResult(REQUEST, (context) -> {
			});
		});
		assertThat(refusals).hasSize(2)
			.allSatisfy((refusal) -> assertThat(refusal).hasMessageContaining("'counter'")
				.hasMessageContaining("past its guard")
				.hasMessageContaining("REQUIRES_NEW"));
		assertThat(this.stack.counter()).isZero();
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	@Timeout(60)
	void keptLeaseIsEnteredAgainAfterTheCommitInATransactionOfItsOwn() {
		List<Boolean> ran = new ArrayList<>();
		readCommitted().executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					requiresNew().executeWithoutResult((inner) -> ran.add(JoinedTransactionTests.this.locks
						.tryExecuteWithoutResult(REQUEST, (context) -> increment())));
				}
			});
			this.locks.executeWithoutResult(REQUEST, (context) -> {
			});
		});
		assertThat(ran).containsExactly(true);
		assertThat(this.stack.counter()).isOne();
		assertThat(lease()).isEqualTo("free");
	}

	@ParameterizedTest
	@EnumSource(Wrapper.class)
	void transactionThroughAWrapperOfTheDataSource(Wrapper wrapper) {
		this.locks.executeWithoutResult(REQUEST, (context) -> {
		});
		AbstractPlatformTransactionManager manager = this.stack
			.guard(new JdbcTransactionManager(wrapper.around(this.stack.pool())));
		readCommitted(manager).executeWithoutResult((status) -> {
			this.locks.executeWithoutResult(REQUEST, (context) -> {
			});
			assertThat(lease()).isEqualTo("held");
		});
		assertThat(lease()).isEqualTo("free");
	}

	@Test
	void transactionWithoutSynchronization() {
		this.stack.transactionManager()
			.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> readCommitted().executeWithoutResult((status) -> {
				this.locks.executeWithoutResult(REQUEST, (context) -> {
					increment();
					this.stack.takeOver(context);
				});
				assertThat(lease()).isEqualTo("held");
			}));
		assertThat(lease()).isEqualTo("free");
		assertThat(this.stack.counter()).isZero();
	}

	private TransactionStatus begin() {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
		definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		return this.stack.transactionManager().getTransaction(definition);
	}

	private void assertRefused(TransactionTemplate transaction, String... parts) {
		transaction.executeWithoutResult((status) -> assertThatExceptionOfType(LockInsideTransactionException.class)
			.isThrownBy(() -> this.locks.executeWithoutResult(REQUEST, (context) -> increment()))
			.satisfies((ex) -> assertThat(ex).message().contains(parts)));
		assertThat(this.stack.counter()).isZero();
		assertThat(lease()).isEqualTo("free");
	}

	private static void awaitRenewal(FencingContext context) {
		Duration[] last = { context.remaining() };
		Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> {
			Duration before = last[0];
			last[0] = context.remaining();
			return last[0].compareTo(before) > 0;
		});
	}

	private static void afterCompletion(Consumer<Integer> work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				work.accept(status);
			}
		});
	}

	private String lease() {
		return (this.provider.find("counter") != null) ? "held" : "free";
	}

	private void increment() {
		this.stack.jdbc().update("update counter set amount = amount + 1");
	}

	private TransactionTemplate requiresNew() {
		TransactionTemplate template = readCommitted();
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	private TransactionTemplate readCommitted() {
		return readCommitted(this.stack.transactionManager());
	}

	private static TransactionTemplate readCommitted(AbstractPlatformTransactionManager manager) {
		TransactionTemplate template = new TransactionTemplate(manager);
		template.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		return template;
	}

}
