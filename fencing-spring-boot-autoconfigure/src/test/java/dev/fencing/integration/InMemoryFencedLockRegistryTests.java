package dev.fencing.integration;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseProvider;

/**
 * Tests for {@link FencedLockRegistry} with leases in memory.
 */
class InMemoryFencedLockRegistryTests extends AbstractFencedLockRegistryTests {

	@Override
	LeaseProvider leases() {
		return new InMemoryLeaseProvider();
	}

}
