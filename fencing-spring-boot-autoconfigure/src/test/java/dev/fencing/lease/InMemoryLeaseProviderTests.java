package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.fencing.test.provider.LeaseProviderConformanceTests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link InMemoryLeaseProvider}.
 */
class InMemoryLeaseProviderTests extends LeaseProviderConformanceTests {

	// Nanoseconds may start anywhere and run over
	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1000);

	private InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	@Override
	protected LeaseProvider provider(boolean clockFloor) {
		this.provider = new InMemoryLeaseProvider(clockFloor, this.clock::get);
		return this.provider;
	}

	@Override
	protected void runOut(String resource) {
		LeaseState state = this.provider.find(resource);
		assertThat(state).isNotNull();
		this.clock.addAndGet(state.remaining().toNanos());
	}

	@Test
	void leaseLastsExactlyItsTime() {
		acquire("document:42", "a");
		this.clock.addAndGet(LEASE_TIME.toNanos() - 1);
		assertThat(this.provider.find("document:42"))
			.isEqualTo(new LeaseState(new Lease("document:42", "a", 1), Duration.ofNanos(1)));
		this.clock.incrementAndGet();
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void leasesThatRanOutAreForgotten() {
		AtomicLong clock = new AtomicLong();
		InMemoryLeaseProvider provider = new InMemoryLeaseProvider(false, clock::get);
		for (int i = 0; i < 1000; i++) {
			provider.acquire(request("document:" + i, "n" + i, LEASE_TIME));
			clock.addAndGet(LEASE_TIME.toNanos() + 1);
		}
		assertThat(provider.size()).isLessThan(100);
	}

}
