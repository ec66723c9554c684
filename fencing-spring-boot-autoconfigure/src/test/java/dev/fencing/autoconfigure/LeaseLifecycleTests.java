package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.LeasedLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who stops an application waits for the calls of others in it, and for none of its own.
 */
@Timeout(60)
class LeaseLifecycleTests {

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), null, null);

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final HeldLeases held = new HeldLeases();

	private final AtomicBoolean stopped = new AtomicBoolean();

	@AfterEach
	void close() {
		this.renewer.close();
	}

	@Test
	void leaseThatTheOwnTransactionKeepsIsNotWaitedFor() {
		try (FencedStack stack = FencedStack.on(TestDatabase.H2, this.provider, true)) {
			LeasedLockTemplate locks = locks(this.held, stack.registry());
			stack.transaction().executeWithoutResult((status) -> {
				locks.executeWithoutResult(LockRequest.of("job"), (context) -> {
				});
				assertThat(this.held.calls()).isOne();
				stop(this.held);
				assertThat(this.stopped).isTrue();
			});
		}
	}

	@Test
	void ownLeaseIsNotWaitedFor() {
		locks(this.held).executeWithoutResult(LockRequest.of("job"), (context) -> {
			stop(this.held);
			assertThat(this.stopped).isTrue();
		});
	}

	@Test
	void ownLeaseOfAnotherApplicationIsNoneOfThisOne() throws Exception {
		HeldLeases stopping = new HeldLeases();
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Void> body = CompletableFuture
			.runAsync(() -> locks(stopping).executeWithoutResult(LockRequest.of("job"), (context) -> {
				running.countDown();
				awaitQuietly(end);
			}));
		running.await();
		locks(this.held).executeWithoutResult(LockRequest.of("other"), (context) -> {
			stop(stopping);
			assertThat(this.stopped).isFalse();
		});
		end.countDown();
		body.join();
		assertThat(this.stopped).isTrue();
	}

	private void stop(HeldLeases leases) {
		new LeaseLifecycle(leases, this.provider).stop(() -> this.stopped.set(true));
	}

	private LeasedLockTemplate locks(HeldLeases leases) {
		return locks(leases, null);
	}

	private LeasedLockTemplate locks(HeldLeases leases, @Nullable GenerationRegistry registry) {
		return new LeasedLockTemplate(this.provider,
				new LeaseAcquirer(this.provider, this.renewer, this.settings, leases), registry, ActiveTransaction.JOIN,
				List.of(), new FencingListener() {
				}, Duration.ofSeconds(1), "test");
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
