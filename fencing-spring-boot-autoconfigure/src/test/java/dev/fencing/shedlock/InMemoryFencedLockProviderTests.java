package dev.fencing.shedlock;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseProvider;

/**
 * Tests for {@link FencedLockProvider} with leases in memory.
 */
class InMemoryFencedLockProviderTests extends AbstractFencedLockProviderTests {

	@Override
	LeaseProvider leases() {
		return new InMemoryLeaseProvider();
	}

}
