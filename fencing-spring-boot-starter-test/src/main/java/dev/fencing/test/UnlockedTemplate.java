package dev.fencing.test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.FencedCallback;
import dev.fencing.FencedLease;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;

/**
 * A {@link FencedLockTemplate} for unit tests without Spring: grants everything at once
 * and protects nothing. The code under test finds its {@link FencingContext}, with
 * generations that count from 1.
 *
 * <pre class="code">
 * ReportService service = new ReportService(new UnlockedTemplate(), repository);
 * </pre>
 *
 * @since 0.1.0
 */
public final class UnlockedTemplate implements FencedLockTemplate {

	private final AtomicLong generations = new AtomicLong();

	/**
	 * Create a template.
	 */
	public UnlockedTemplate() {
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request,
			FencedCallback<T, E> callback) throws E {
		try (FencedLease lease = bind(request)) {
			return callback.execute(lease.context());
		}
	}

	@Override
	public <T, E extends Throwable> Optional<T> tryExecute(LockRequest request, FencedCallback<T, E> callback)
			throws E {
		T result = execute(request, callback);
		Assert.state(result != null, "The code ran, but returned null, which tryExecute cannot tell from a skip");
		return Optional.of(result);
	}

	@Override
	public Optional<FencedLease> open(LockRequest request) {
		return Optional.of(bind(request));
	}

	private FencedLease bind(LockRequest request) {
		Assert.notNull(request, "The lock request must not be null");
		FencingContext outer = FencingContextHolder.find(request.resource());
		FencingContext context = (outer != null) ? outer
				: new Context(request, this.generations.incrementAndGet(), new AtomicInteger());
		FencingContextHolder.bind(context);
		return new BoundLease(context);
	}

	/**
	 * A lease that is bound until it is closed.
	 */
	private static final class BoundLease implements FencedLease {

		private final FencingContext context;

		private boolean closed;

		private BoundLease(FencingContext context) {
			this.context = context;
		}

		@Override
		public FencingContext context() {
			return this.context;
		}

		@Override
		public boolean extend(Duration leaseTime, Duration minHold) {
			Assert.state(!this.closed, () -> "The lease on %s is closed".formatted(this.context.resources()));
			return true;
		}

		@Override
		public void close() {
			if (!this.closed) {
				this.closed = true;
				FencingContextHolder.unbind(this.context);
			}
		}

	}

	/**
	 * What locked code sees.
	 *
	 * @param request what it asked for
	 * @param generation the number of the acquisition
	 * @param sequence how many tokens were drawn
	 */
	private record Context(LockRequest request, long generation, AtomicInteger sequence) implements FencingContext {

		@Override
		public String name() {
			return this.request.name();
		}

		@Override
		public String resource() {
			return this.request.resource();
		}

		@Override
		public List<String> resources() {
			return this.request.resources();
		}

		@Override
		public long nextToken() {
			return FencingTokens.of(this.generation, this.sequence.incrementAndGet());
		}

		@Override
		public Duration remaining() {
			Duration leaseTime = this.request.leaseTime();
			return (leaseTime != null) ? leaseTime : Duration.ofSeconds(30);
		}

		@Override
		public boolean isLost() {
			return false;
		}

		@Override
		public void assertCurrent() {
		}

	}

}
