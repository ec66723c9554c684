package dev.fencing.transaction;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.util.Assert;

import dev.fencing.FencedLease;
import dev.fencing.FencingContext;
import dev.fencing.LockRequest;

/**
 * A lease between the two calls that open and close it.
 */
final class OpenLease implements FencedLease {

	private final FencingContext context;

	private final List<Acquisition> acquisitions;

	private final Extender extender;

	private final Runnable closing;

	private final Thread thread = Thread.currentThread();

	// A lease is not extended while it is closed, nor after that
	private final ReentrantLock lock = new ReentrantLock();

	private boolean closed;

	/**
	 * Create an open lease of the current thread.
	 * @param context what is bound to the thread
	 * @param acquisitions the acquisitions that it stands for
	 * @param extender extends them
	 * @param closing unbinds it and gives it back
	 */
	OpenLease(FencingContext context, Collection<Acquisition> acquisitions, Extender extender, Runnable closing) {
		this.context = context;
		this.acquisitions = List.copyOf(acquisitions);
		this.extender = extender;
		this.closing = closing;
	}

	@Override
	public FencingContext context() {
		return this.context;
	}

	@Override
	public boolean extend(Duration leaseTime, Duration minHold) {
		// A request has the rules for both times
		LockRequest.of(this.context.name()).leaseTime(leaseTime).maxHold(leaseTime).minHold(minHold);
		this.lock.lock();
		try {
			Assert.state(!this.closed, () -> "The lease on %s is closed".formatted(this.context.resources()));
			boolean extended = true;
			for (Acquisition acquisition : this.acquisitions) {
				extended &= this.extender.extend(acquisition, leaseTime, minHold);
			}
			return extended;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			Assert.state(Thread.currentThread() == this.thread,
					() -> """
							The lease on %s was opened on thread '%s', whose transactions are guarded: close it on that thread"""
						.formatted(this.context.resources(), this.thread.getName()));
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
		this.closing.run();
	}

	/**
	 * Lets a lease last longer.
	 */
	@FunctionalInterface
	interface Extender {

		boolean extend(Acquisition acquisition, Duration leaseTime, Duration minHold);

	}

}
