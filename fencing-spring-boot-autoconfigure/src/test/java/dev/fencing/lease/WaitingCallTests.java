package dev.fencing.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Operators see which thread has a lease, and which ones wait for it.
 */
@Timeout(60)
class WaitingCallTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final LeaseSettings settings = new LeaseSettings(LONG, LONG, null, null);

	private final HeldLeases held = new HeldLeases();

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final LeaseAcquirer acquirer = new LeaseAcquirer(this.provider, this.renewer, this.settings, this.held);

	private final List<Thread> threads = new ArrayList<>();

	@AfterEach
	void close() throws InterruptedException {
		for (Thread thread : this.threads) {
			thread.join();
		}
		this.renewer.close();
	}

	@Test
	void listsThoseWhoWaitWithTheirThreadsAndWhoHasWaitedLongestFirst() {
		LeaseHold hold = this.acquirer.acquire(LockRequest.of("document").key(42), LONG);
		assertThat(this.acquirer.waiting()).isEmpty();
		begin("first", LockRequest.of("document").key(42));
		await().until(() -> this.acquirer.waiting().size() == 1);
		begin("second", LockRequest.of("document").key(42));
		await().until(() -> this.acquirer.waiting().size() == 2);
		assertThat(this.acquirer.waiting()).extracting(WaitingCall::thread).containsExactly("first", "second");
		assertThat(this.acquirer.waiting()).allSatisfy((call) -> {
			assertThat(call.lock()).isEqualTo("document");
			assertThat(call.resource()).isEqualTo("document:42");
			assertThat(call.waitedFor()).isBetween(Duration.ZERO, LONG);
		});
		this.acquirer.end(hold, true);
		await().until(() -> this.acquirer.waiting().isEmpty());
	}

	@Test
	void whoWantsSeveralIsListedWhereItWaits() {
		LeaseHold hold = this.acquirer.acquire(LockRequest.of("document").key("b"), LONG);
		begin("both", LockRequest.of("document").keys(List.of("a", "b")));
		await().until(() -> this.acquirer.waiting()
			.stream()
			.map(WaitingCall::resource)
			.toList()
			.equals(List.of("document:b")));
		this.acquirer.end(hold, true);
	}

	@Test
	void heldLeaseNamesTheThreadThatTookIt() throws InterruptedException {
		List<HeldLease> seen = new ArrayList<>();
		Thread thread = new Thread(() -> {
			LeaseHold hold = this.acquirer.acquire(LockRequest.of("document").key(42), LONG);
			seen.addAll(this.held.snapshot());
			this.acquirer.end(hold, true);
		}, "worker-7");
		thread.start();
		thread.join();
		assertThat(seen).extracting(HeldLease::thread).containsExactly("worker-7");
	}

	@Test
	void threadWithoutNameIsCalledByItsNumber() {
		Thread nameless = new Thread(() -> {
		}, "");
		assertThat(ThreadNames.of(nameless)).isEqualTo("#" + nameless.getId());
	}

	private void begin(String name, LockRequest request) {
		Thread thread = new Thread(() -> this.acquirer.end(this.acquirer.acquire(request, LONG), true), name);
		this.threads.add(thread);
		thread.start();
	}

}
