package dev.fencing.lease;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases while they are held, on one platform thread of its own: the pools of the
 * application cannot starve it, and what a renewal throws does not end it. The provider
 * sends without waiting, so that one slow answer delays no other renewal.
 *
 * @since 0.1.0
 */
public final class LeaseRenewer implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaseRenewer.class);

	private final LeaseProvider provider;

	private final LeaseSettings settings;

	private final ScheduledThreadPoolExecutor executor;

	/**
	 * Create a renewer and its thread.
	 * @param provider whose leases to renew; never null
	 * @param settings how often; never null
	 */
	public LeaseRenewer(LeaseProvider provider, LeaseSettings settings) {
		this.provider = provider;
		this.settings = settings;
		this.executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "fencing-renewal");
			thread.setDaemon(true);
			return thread;
		});
		this.executor.setRemoveOnCancelPolicy(true);
		// Who still runs when it is closed runs on, and its lease runs out
		this.executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
	}

	/**
	 * Start to renew a lease.
	 * @param hold the lease; never null
	 * @param callback told what becomes of it; never null
	 * @return what ends the renewals; never null
	 */
	public Renewal start(LeaseHold hold, RenewalCallback callback) {
		Renewal renewal = new Renewal(hold, callback);
		renewal.schedule(this.settings.renewIntervalFor(hold.leaseTime()));
		return renewal;
	}

	/**
	 * Return how many leases are being renewed.
	 * @return the number of renewals that are due later
	 */
	public int pending() {
		return this.executor.getQueue().size();
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/**
	 * The renewals of one lease.
	 */
	public final class Renewal {

		private final LeaseHold hold;

		private final RenewalCallback callback;

		private volatile boolean stopped;

		// Set on the renewal thread, but for the first time
		private volatile @Nullable ScheduledFuture<?> next;

		private Renewal(LeaseHold hold, RenewalCallback callback) {
			this.hold = hold;
			this.callback = callback;
		}

		/**
		 * End the renewals. An answer that is still under way changes nothing any more.
		 */
		public void stop() {
			this.stopped = true;
			ScheduledFuture<?> scheduled = this.next;
			if (scheduled != null) {
				scheduled.cancel(false);
			}
		}

		private void schedule(Duration delay) {
			ScheduledFuture<?> scheduled = this.next;
			if (scheduled != null) {
				scheduled.cancel(false);
			}
			if (this.stopped) {
				return;
			}
			this.next = LeaseRenewer.this.executor.schedule(this::runSafely, Math.max(delay.toNanos(), 0),
					TimeUnit.NANOSECONDS);
			if (this.stopped) {
				stop();
			}
		}

		private void runSafely() {
			try {
				run();
			}
			catch (RuntimeException | Error ex) {
				failed(ex);
			}
		}

		private void run() {
			if (this.stopped) {
				return;
			}
			if (this.hold.isLost()) {
				lost();
				return;
			}
			long now = System.nanoTime();
			Duration extension = this.hold.renewableFor(now);
			if (extension.toMillis() < 1 || now + extension.toNanos() - this.hold.deadline() <= 0) {
				// The longest hold is reached: what is left runs out by itself
				schedule(this.hold.remaining());
				return;
			}
			Lease sent = this.hold.lease();
			double slack = this.hold.remaining().toNanos() / (double) this.hold.leaseTime().toNanos();
			// Should no answer come at all, the loss is told when the lease is over
			schedule(this.hold.remaining());
			LeaseRenewer.this.provider.renew(sent, extension).whenCompleteAsync((ours, failure) -> {
				if (this.stopped) {
					return;
				}
				if (failure != null) {
					failed(failure);
				}
				else if (Boolean.TRUE.equals(ours)) {
					this.hold.renewed(now + extension.toNanos());
					this.callback.renewed(slack);
					schedule(LeaseRenewer.this.settings.renewIntervalFor(this.hold.leaseTime()));
				}
				else if (!this.hold.lease().equals(sent)) {
					// Healed while the renewal was under way: it named the old generation
					schedule(Duration.ZERO);
				}
				else {
					this.hold.takenAway();
					lost();
				}
			}, LeaseRenewer.this.executor);
		}

		private void failed(Throwable failure) {
			if (this.hold.isLost()) {
				lost();
				return;
			}
			logger.debug("Lease on '%s' was not renewed".formatted(this.hold.lease().resource()), failure);
			// At least one more attempt before the deadline, then the loss is declared at
			// it
			schedule(min(LeaseRenewer.this.settings.renewIntervalFor(this.hold.leaseTime()).dividedBy(2),
					this.hold.remaining()));
			this.callback.renewalFailed(failure);
		}

		private void lost() {
			stop();
			if (this.hold.tellLossOnce()) {
				this.callback.lost();
			}
		}

		private static Duration min(Duration first, Duration second) {
			return (first.compareTo(second) <= 0) ? first : second;
		}

	}

}
