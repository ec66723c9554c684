package dev.fencing.metrics;

import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.LeasedLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the gauge {@code fence.leases.active} counts is what the endpoint lists.
 */
class ActiveLeasesTests {

	private static final LockRequest ONE = LockRequest.of("document").key(1);

	private static final LockRequest SEVERAL = LockRequest.of("document").keys(List.of(2, 3, 4));

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, null);

	private final LeaseProvider provider = new InMemoryLeaseProvider();

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final HeldLeases held = new HeldLeases();

	private final FencedLockTemplate locks = new LeasedLockTemplate(this.provider,
			new LeaseAcquirer(this.provider, this.renewer, this.settings, this.held), null, ActiveTransaction.REJECT,
			List.of(), new FencingMetrics(this.registry), Duration.ZERO, "test");

	@AfterEach
	void stop() {
		this.renewer.close();
	}

	@Test
	void severalResourcesOfOneAcquisitionCountEach() {
		this.locks.executeWithoutResult(ONE, (outer) -> {
			assertHeld(1);
			this.locks.executeWithoutResult(SEVERAL, (inner) -> {
				assertHeld(4);
				// The leases that are held already, not further ones
				this.locks.executeWithoutResult(SEVERAL, (again) -> assertHeld(4));
			});
			assertHeld(1);
		});
		assertHeld(0);
	}

	@Test
	void nothingIsLeftWhenTheCodeFails() {
		assertThatIllegalStateException().isThrownBy(() -> this.locks.executeWithoutResult(SEVERAL, (context) -> {
			assertHeld(3);
			throw new IllegalStateException();
		}));
		assertHeld(0);
	}

	private void assertHeld(int count) {
		assertThat(this.registry.get("fence.leases.active").tag("lock", "document").gauge().value()).isEqualTo(count);
		assertThat(this.held.snapshot()).filteredOn((lease) -> lease.lock().equals("document")).hasSize(count);
	}

}
