package dev.fencing.lease;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The threads of this process that want one resource, first come first served. The first
 * one asks the provider, for itself alone, and listens for it being given back; the
 * others wait for their turn.
 */
final class WaitingLine {

	private static final Log logger = LogFactory.getLog(WaitingLine.class);

	private final String resource;

	// Changed under the lock that WaitingLines has for each resource

	private volatile @Nullable Waiter first;

	/**
	 * Those behind the first one. As a rule nobody is, and nothing is made for them.
	 */
	private @Nullable Deque<Waiter> others;

	private volatile boolean blocked;

	private volatile long blockedAt;

	private volatile @Nullable ReleaseWatch watch;

	WaitingLine(String resource) {
		this.resource = resource;
	}

	String resource() {
		return this.resource;
	}

	void join(Waiter waiter) {
		if (this.first == null) {
			this.first = waiter;
			return;
		}
		if (this.others == null) {
			this.others = new ArrayDeque<>();
		}
		this.others.add(waiter);
	}

	private Collection<Waiter> others() {
		return (this.others != null) ? this.others : List.of();
	}

	/**
	 * Leave the line; whoever is the first then is told.
	 * @return whether nobody is left
	 */
	boolean leave(Waiter waiter) {
		if (!isFirst(waiter)) {
			others().remove(waiter);
			return false;
		}
		Waiter next = (this.others != null) ? this.others.poll() : null;
		this.first = next;
		if (next != null) {
			next.wake();
		}
		return next == null;
	}

	/**
	 * Note that the first one has to wait. Who has no time for that need not ask as well.
	 */
	void block() {
		this.blockedAt = System.nanoTime();
		if (!this.blocked) {
			this.blocked = true;
			others().forEach(Waiter::wake);
		}
	}

	/**
	 * List the calls that wait: the first one does only if another owner was found to be
	 * in its way, else it is about to get the resource.
	 */
	List<WaitingCall> calls() {
		Waiter asking = this.first;
		return Stream.concat((this.blocked && asking != null) ? Stream.of(asking) : Stream.empty(), others().stream())
			.map((waiter) -> waiter.describe(this.resource))
			.toList();
	}

	boolean isBlocked() {
		return this.blocked;
	}

	boolean isBlockedSince(long time) {
		return this.blocked && this.blockedAt - time >= 0;
	}

	boolean isFirst(Waiter waiter) {
		return this.first == waiter;
	}

	/**
	 * Have the first one told when the resource is given back. Called by that one.
	 * @return whether this was not so before, so that it may have missed something
	 */
	boolean watch(LeaseProvider provider) {
		if (this.watch != null) {
			return false;
		}
		try {
			this.watch = provider.watch(this.resource, this::wakeFirst);
		}
		catch (RuntimeException ex) {
			logger.debug("Nobody tells when '%s' is given back: who waits asks now and then".formatted(this.resource),
					ex);
			this.watch = ReleaseWatch.NONE;
		}
		return true;
	}

	/**
	 * Run something when it is sure that the first one is told, or that it is not.
	 */
	void afterWatchBegins(Runnable action) {
		ready().whenComplete((ready, failure) -> action.run());
	}

	/**
	 * Return whether it is sure that the first one is told.
	 */
	boolean isWatched() {
		if (this.watch == null) {
			// As a rule: nobody waits, and nothing needs to be made to tell that
			return false;
		}
		CompletableFuture<?> ready = ready().toCompletableFuture();
		return ready.isDone() && !ready.isCompletedExceptionally();
	}

	private CompletionStage<?> ready() {
		ReleaseWatch open = this.watch;
		return ((open != null) ? open : ReleaseWatch.NONE).ready();
	}

	private void wakeFirst() {
		Waiter waiting = this.first;
		if (waiting != null) {
			waiting.wake();
		}
	}

	/**
	 * End the line, which nobody is in any more. Whoever leaves may have the lease by
	 * now, and must get to know: so nothing is thrown.
	 */
	void close() {
		ReleaseWatch open = this.watch;
		if (open == null) {
			return;
		}
		try {
			open.close();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The watch on '%s' was not ended".formatted(this.resource), ex);
		}
	}

}
