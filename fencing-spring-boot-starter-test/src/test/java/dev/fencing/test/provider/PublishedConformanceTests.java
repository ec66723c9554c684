package dev.fencing.test.provider;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseProvider;

/**
 * The tests for providers run from where they are published.
 */
class PublishedConformanceTests extends LeaseProviderConformanceTests {

	private final AtomicLong clock = new AtomicLong();

	@Override
	protected LeaseProvider provider(boolean clockFloor) {
		return new InMemoryLeaseProvider(clockFloor, this.clock::get);
	}

	@Override
	protected void runOut(String resource) {
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
	}

}
