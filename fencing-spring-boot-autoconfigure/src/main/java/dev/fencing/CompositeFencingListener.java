package dev.fencing;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells several listeners, in order. What one of them throws is logged and keeps neither
 * the others from being told nor a lease from being released.
 *
 * @since 0.1.0
 */
public final class CompositeFencingListener implements FencingListener {

	private final List<FencingListener> listeners;

	/**
	 * Create a listener that tells others.
	 * @param listeners the listeners; never null, copied
	 */
	public CompositeFencingListener(List<? extends FencingListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void lockKnown(String lock) {
		tell((listener) -> listener.lockKnown(lock));
	}

	@Override
	public void acquisitionEnded(String lock, AcquisitionOutcome outcome, Duration waited) {
		tell((listener) -> listener.acquisitionEnded(lock, outcome, waited));
	}

	@Override
	public void leaseAcquired(FencingContext context) {
		tell((listener) -> listener.leaseAcquired(context));
	}

	@Override
	public void leaseRenewed(FencingContext context, double slack) {
		tell((listener) -> listener.leaseRenewed(context, slack));
	}

	@Override
	public void renewalFailed(FencingContext context, Throwable failure) {
		tell((listener) -> listener.renewalFailed(context, failure));
	}

	@Override
	public void leaseLost(FencingContext context) {
		tell((listener) -> listener.leaseLost(context));
	}

	@Override
	public void leaseEnded(FencingContext context, Duration held) {
		tell((listener) -> listener.leaseEnded(context, held));
	}

	@Override
	public void rejected(Rejection rejection) {
		tell((listener) -> listener.rejected(rejection));
	}

	@Override
	public void issuerRegressed(Rejection rejection) {
		tell((listener) -> listener.issuerRegressed(rejection));
	}

	private void tell(Consumer<FencingListener> event) {
		for (FencingListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				// Errors as well, as of a class that is not there: a lease may depend on
				// who is called next
				ListenerFailures.log(listener, ex);
			}
		}
	}

}
