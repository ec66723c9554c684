package dev.fencing.lease;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.LeaseProviderException;

/**
 * Renews leases while they are held, on one platform thread of its own: the pools of the
 * application cannot starve it, and nothing that a renewal throws ends it. What is due at
 * about the same time goes in one request to each partition. It sends without waiting, so
 * that one slow answer delays no other renewal.
 *
 * @since 0.1.0
 */
public final class LeaseRenewer implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LeaseRenewer.class);

	private final LeaseProvider provider;

	private final LeaseSettings settings;

	private final Duration usualInterval;

	private final RenewalQueue queue = new RenewalQueue();

	private final RenewalNews news = new RenewalNews();

	private final Thread thread;

	private volatile boolean closed;

	/**
	 * Create a renewer and its thread.
	 * @param provider whose leases to renew; never null
	 * @param settings how often; never null
	 */
	public LeaseRenewer(LeaseProvider provider, LeaseSettings settings) {
		this.provider = provider;
		this.settings = settings;
		this.usualInterval = settings.renewIntervalFor(settings.leaseTime());
		this.thread = new Thread(this::run, "fencing-renewal");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Begin to renew a lease. That may be before it is asked for: until it is granted,
	 * nothing is sent.
	 */
	void arm(LeaseHold hold) {
		Renewal renewal = renewalOf(hold, null);
		hold.armed(renewal);
		this.queue.schedule(renewal, System.nanoTime() + renewal.interval().toNanos());
	}

	private Renewal renewalOf(LeaseHold hold, @Nullable CompletableFuture<Boolean> extension) {
		boolean usual = hold.leaseTime().equals(this.settings.leaseTime());
		return new Renewal(hold, usual ? this.usualInterval : this.settings.renewIntervalFor(hold.leaseTime()),
				extension);
	}

	/**
	 * End the renewals of a lease. An answer that is still under way changes nothing any
	 * more.
	 */
	void disarm(LeaseHold hold) {
		Renewal renewal = hold.renewal();
		if (renewal != null) {
			this.queue.stop(renewal);
		}
	}

	/**
	 * Let a lease last for a time from now on, and wait for the answer: no longer than
	 * the lease would have lasted anyway. It is sent by the renewal thread, after what
	 * that one has sent before.
	 * @return whether it lasts
	 * @throws LeaseProviderException if that is not known
	 */
	boolean extend(LeaseHold hold, Duration leaseTime, Duration minHold) {
		Duration answerTime = hold.remaining();
		disarm(hold);
		hold.holdFor(leaseTime, minHold);
		CompletableFuture<Boolean> extended = new CompletableFuture<>();
		Renewal renewal = renewalOf(hold, extended);
		hold.armed(renewal);
		this.queue.schedule(renewal, System.nanoTime());
		try {
			return extended.get(answerTime.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LeaseProviderException("Interrupted while a lease was extended", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof LeaseProviderException failure) ? failure
					: new LeaseProviderException("A lease was not extended", ex.getCause());
		}
		catch (TimeoutException ex) {
			// It is over by now, as far as this process knows
			hold.lost();
			tellLoss(hold);
			return false;
		}
	}

	/**
	 * Have the owner told that its lease is lost, as if a renewal had shown it.
	 */
	void tellLoss(LeaseHold hold) {
		this.news.tellLoss(hold);
	}

	/**
	 * Return how many leases are being renewed.
	 * @return the number of renewals that are due later
	 */
	public int pending() {
		return this.queue.size();
	}

	@Override
	public void close() {
		this.closed = true;
		this.thread.interrupt();
		this.news.close();
	}

	private void run() {
		while (!this.closed) {
			try {
				RenewalQueue.Work work = this.queue.take();
				work.answers().forEach(LeaseRenewer::runSafely);
				send(work.due());
			}
			catch (InterruptedException ex) {
				// Only closing ends the thread
			}
			catch (RuntimeException | Error ex) {
				logSafely(ex);
			}
		}
	}

	private static void runSafely(Runnable answer) {
		try {
			answer.run();
		}
		catch (RuntimeException | Error ex) {
			logSafely(ex);
		}
	}

	private static void logSafely(Throwable failure) {
		try {
			logger.error("The renewal of leases goes on after a failure", failure);
		}
		catch (RuntimeException | Error ex) {
			// Out of memory, most likely: renewing must go on, telling need not
		}
	}

	private void send(List<Renewal> due) {
		long now = System.nanoTime();
		// First of all: whatever fails from here on, each is taken up again
		due.forEach((renewal) -> this.queue.schedule(renewal, nextLook(renewal, now)));
		Map<Integer, RenewalBatch> batches = new HashMap<>();
		for (Renewal renewal : due) {
			LeaseExtension extension = extensionOf(renewal, now);
			if (extension == null) {
				continue;
			}
			int partition = this.provider.partition(extension.lease().resources().get(0));
			RenewalBatch batch = batches.computeIfAbsent(partition, (key) -> new RenewalBatch(now));
			batch.add(renewal, extension);
			if (batch.isFull()) {
				batches.remove(partition);
				send(batch);
			}
		}
		batches.values().forEach(this::send);
	}

	/**
	 * Return when to look at a lease again, should nothing be heard of it.
	 */
	private static long nextLook(Renewal renewal, long now) {
		LeaseHold hold = renewal.hold();
		long interval = renewal.interval().toNanos();
		if (!hold.isGranted()) {
			return now + interval / 4;
		}
		return now + Math.max(0, Math.min(interval, hold.deadline() - now));
	}

	private @Nullable LeaseExtension extensionOf(Renewal renewal, long now) {
		LeaseHold hold = renewal.hold();
		if (!hold.isGranted()) {
			return null;
		}
		if (hold.isLost()) {
			lost(renewal);
			return null;
		}
		Duration extension = hold.renewableFor(now);
		if (!renewal.isExtension() && (extension.toMillis() < 1 || now + extension.toNanos() - hold.deadline() <= 0)) {
			// The longest hold is reached: what is left runs out by itself
			this.queue.schedule(renewal, hold.deadline());
			return null;
		}
		return new LeaseExtension(hold.lease(), extension);
	}

	private void send(RenewalBatch batch) {
		CompletionStage<List<RenewalAnswer>> stage;
		try {
			stage = this.provider.renew(batch.extensions());
		}
		catch (RuntimeException | Error ex) {
			answered(batch, null, ex);
			return;
		}
		stage.whenComplete((answers, failure) -> this.queue.answered(() -> answered(batch, answers, failure)));
	}

	private void answered(RenewalBatch batch, @Nullable List<RenewalAnswer> answers, @Nullable Throwable failure) {
		Assert.state(failure != null || (answers != null && answers.size() == batch.sent().size()),
				"A lease provider has to answer each renewal");
		for (int i = 0; i < batch.sent().size(); i++) {
			RenewalBatch.Sent sent = batch.sent().get(i);
			RenewalAnswer answer = (answers != null) ? answers.get(i) : null;
			// Each by itself: what fails for one is no harm to the others
			runSafely(() -> answered(sent, answer, failure));
		}
	}

	private void answered(RenewalBatch.Sent sent, @Nullable RenewalAnswer answer, @Nullable Throwable failure) {
		if (this.queue.isStopped(sent.renewal())) {
			return;
		}
		if (failure == null && answer != null) {
			answered(sent, answer);
			return;
		}
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		failed(sent.renewal(), (cause != null) ? cause : new LeaseProviderException("No answer"));
	}

	private void answered(RenewalBatch.Sent sent, RenewalAnswer answer) {
		Renewal renewal = sent.renewal();
		LeaseHold hold = renewal.hold();
		if (answer instanceof RenewalAnswer.Taken taken) {
			hold.takenBy(taken.generation());
			lost(renewal);
		}
		else if (answer instanceof RenewalAnswer.Gone || hold.isLost()) {
			lost(renewal);
		}
		else {
			if (renewal.isExtension()) {
				hold.extended(sent.deadline());
			}
			else {
				hold.renewed(sent.deadline());
			}
			renewal.extended(true);
			long sentAt = sent.deadline() - sent.extension().leaseTime().toNanos();
			this.queue.schedule(renewal, sentAt + renewal.interval().toNanos());
			this.news.tell(hold, (callback) -> callback.renewed(sent.slack()));
		}
	}

	private void failed(Renewal renewal, Throwable failure) {
		LeaseHold hold = renewal.hold();
		if (hold.isLost()) {
			lost(renewal);
			return;
		}
		logger.debug("Lease on %s was not renewed".formatted(hold.lease().resources()), failure);
		renewal.notExtended(failure);
		// At least one more attempt before the deadline, then the loss is declared at it
		long now = System.nanoTime();
		long retry = Math.min(renewal.interval().toNanos() / 2, hold.deadline() - now);
		this.queue.schedule(renewal, now + Math.max(0, retry));
		this.news.tell(hold, (callback) -> callback.renewalFailed(failure));
	}

	private void lost(Renewal renewal) {
		this.queue.stop(renewal);
		renewal.hold().lost();
		renewal.extended(false);
		this.news.tellLoss(renewal.hold());
	}

}
