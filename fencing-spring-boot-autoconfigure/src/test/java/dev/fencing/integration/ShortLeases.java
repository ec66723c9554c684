package dev.fencing.integration;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedCallback;
import dev.fencing.FencedLease;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;

/**
 * Leases that are over soon if they are not renewed.
 *
 * @param delegate takes them
 */
record ShortLeases(FencedLockTemplate delegate) implements FencedLockTemplate {

	private static final Duration LEASE_TIME = Duration.ofMillis(300);

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request,
			FencedCallback<T, E> callback) throws E {
		return this.delegate.execute(request.leaseTime(LEASE_TIME), callback);
	}

	@Override
	public <T, E extends Throwable> Optional<T> tryExecute(LockRequest request, FencedCallback<T, E> callback)
			throws E {
		return this.delegate.tryExecute(request.leaseTime(LEASE_TIME), callback);
	}

	@Override
	public Optional<FencedLease> open(LockRequest request) {
		return this.delegate.open(request.leaseTime(LEASE_TIME));
	}

}
