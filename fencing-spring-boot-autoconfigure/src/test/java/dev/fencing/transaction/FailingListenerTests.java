package dev.fencing.transaction;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.testsupport.FaultyCommits;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What fails around the locked code, an error of a listener for example, keeps no lease:
 * it would be renewed for as long as the process lives.
 */
class FailingListenerTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final HeldLeases held = new HeldLeases();

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), null, null);

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final FencedStack stack = FencedStack.on(TestDatabase.H2, this.provider, true).withCounter();

	@AfterEach
	void close() {
		assertThat(this.held.calls()).isZero();
		assertThat(this.held.snapshot()).isEmpty();
		assertThat(this.renewer.pending()).isZero();
		assertThat(FencingContext.current()).isEmpty();
		assertThat(OpenTransactions.count()).isZero();
		this.stack.close();
		this.renewer.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "acquisitionEnded", "leaseAcquired", "leaseEnded" })
	void errorOfAListenerKeepsNoLease(String event) {
		LeasedLockTemplate locks = locks(ActiveTransaction.REJECT, this.stack.registry(), failingAt(event));
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> locks.executeWithoutResult(REQUEST, (context) -> {
			}));
		assertThat(this.provider.find("counter")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "lockKnown", "acquisitionEnded", "leaseAcquired", "leaseEnded" })
	void errorOfOneOfSeveralListenersChangesNothing(String event) {
		AtomicInteger ended = new AtomicInteger();
		FencingListener other = new FencingListener() {
			@Override
			public void leaseEnded(FencingContext context, Duration heldFor) {
				ended.incrementAndGet();
			}
		};
		LeasedLockTemplate locks = locks(ActiveTransaction.REJECT, this.stack.registry(),
				new CompositeFencingListener(List.of(failingAt(event), other)));
		assertThat(locks.tryExecute(REQUEST, (context) -> "result")).contains("result");
		assertThat(ended).hasValue(1);
		assertThat(this.provider.find("counter")).isNull();
	}

	@Test
	void errorAtTheEndOfOneLeaseKeepsNoOtherOneOfTheTransaction() {
		LeasedLockTemplate locks = locks(ActiveTransaction.JOIN, this.stack.registry(), failingAt("leaseEnded"));
		this.stack.transaction().executeWithoutResult((status) -> {
			for (int key = 1; key <= 3; key++) {
				locks.executeWithoutResult(REQUEST.key(key), (context) -> {
				});
			}
		});
		for (int key = 1; key <= 3; key++) {
			assertThat(this.provider.find("counter:" + key)).isNull();
		}
	}

	@Test
	void leaseOfWhichNobodyCanTellWhetherItsCommitIsOverIsLeftToExpire() {
		FaultyCommits faulty = new FaultyCommits(this.stack.pool());
		TransactionTemplate transaction = new TransactionTemplate(this.stack.guard(new JdbcTransactionManager(faulty)));
		GenerationRegistry failing = new GenerationRegistry() {
			@Override
			public Registration register(String resource, long token, String owner) {
				return FailingListenerTests.this.stack.registry().register(resource, token, owner);
			}

			@Override
			public @Nullable RegisteredGeneration find(String resource) {
				return FailingListenerTests.this.stack.registry().find(resource);
			}

			@Override
			public boolean isUnlocked(String resource) {
				throw new NoClassDefFoundError("driver");
			}
		};
		locks(ActiveTransaction.REJECT, failing, new FencingListener() {
		}).executeWithoutResult(REQUEST,
				(context) -> assertThatExceptionOfType(DataAccessResourceFailureException.class)
					.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
						new JdbcTemplate(faulty).update("update counter set amount = amount + 1");
						faulty.failNext(true, "08006");
					})));
		assertThat(this.provider.find("counter")).isNotNull();
	}

	private LeasedLockTemplate locks(ActiveTransaction mode, GenerationRegistry registry, FencingListener listener) {
		return new LeasedLockTemplate(this.provider,
				new LeaseAcquirer(this.provider, this.renewer, this.settings, this.held), registry, mode, List.of(),
				listener, Duration.ZERO, "test");
	}

	private static FencingListener failingAt(String event) {
		return (FencingListener) Proxy.newProxyInstance(FencingListener.class.getClassLoader(),
				new Class<?>[] { FencingListener.class }, (proxy, method, arguments) -> {
					if (method.getName().equals(event)) {
						throw new NoClassDefFoundError(event);
					}
					return null;
				});
	}

}
