package dev.fencing.lease.redis;

import java.util.concurrent.atomic.AtomicInteger;

import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.testsupport.DelegatingLeaseProvider;

/**
 * Counts attempts to take a lease.
 */
final class CountingProvider extends DelegatingLeaseProvider {

	private final AtomicInteger attempts = new AtomicInteger();

	private final AtomicInteger underWay = new AtomicInteger();

	private final AtomicInteger mostAtATime = new AtomicInteger();

	CountingProvider(LeaseProvider delegate) {
		super(delegate);
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		this.attempts.incrementAndGet();
		this.mostAtATime.accumulateAndGet(this.underWay.incrementAndGet(), Math::max);
		try {
			return super.acquire(request);
		}
		finally {
			this.underWay.decrementAndGet();
		}
	}

	int attempts() {
		return this.attempts.get();
	}

	/**
	 * Return how many attempts were under way at the same time.
	 */
	int mostAtATime() {
		return this.mostAtATime.get();
	}

}
