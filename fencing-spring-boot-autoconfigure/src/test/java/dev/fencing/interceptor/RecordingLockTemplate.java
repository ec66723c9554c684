package dev.fencing.interceptor;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedCallback;
import dev.fencing.FencedLease;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.testsupport.FixedContext;

/**
 * Grants every lease unless told otherwise, and writes down what happens.
 */
class RecordingLockTemplate implements FencedLockTemplate {

	private final List<String> events = Collections.synchronizedList(new ArrayList<>());

	private final List<LockRequest> requests = Collections.synchronizedList(new ArrayList<>());

	private volatile boolean unavailable;

	private volatile @Nullable RuntimeException failure;

	List<String> events() {
		return this.events;
	}

	LockRequest lastRequest() {
		return this.requests.get(this.requests.size() - 1);
	}

	void beUnavailable() {
		this.unavailable = true;
	}

	List<LockRequest> requests() {
		return this.requests;
	}

	void failWith(RuntimeException failure) {
		this.failure = failure;
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request,
			FencedCallback<T, E> callback) throws E {
		attempt(request);
		if (this.unavailable) {
			throw new LeaseUnavailableException("Held by another");
		}
		return run(request, callback);
	}

	@Override
	public <T, E extends Throwable> Optional<T> tryExecute(LockRequest request, FencedCallback<T, E> callback)
			throws E {
		attempt(request);
		return this.unavailable ? Optional.empty() : Optional.of(run(request, callback));
	}

	@Override
	public Optional<FencedLease> open(LockRequest request) {
		throw new UnsupportedOperationException("An annotated method never leaves a lease open");
	}

	private void attempt(LockRequest request) {
		this.requests.add(request);
		if (this.failure != null) {
			throw this.failure;
		}
	}

	private <T extends @Nullable Object, E extends Throwable> T run(LockRequest request, FencedCallback<T, E> callback)
			throws E {
		this.events.add("acquire " + request.resource());
		try {
			return callback.execute(new FixedContext(request.name(), request.resource(), 1));
		}
		finally {
			this.events.add("release " + request.resource());
		}
	}

}
