package dev.fencing.transaction;

import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedCallback;
import dev.fencing.FencingContextHolder;

/**
 * A lease, the code that runs under it, and the transactions that keep it beyond the
 * return of that code: those that were open around it, and those that it has left open.
 * It is ended once, when the last of them all is done: a transaction may be completed by
 * code that has entered the lease again.
 */
final class KeptLease {

	private final Acquisition acquisition;

	private final Consumer<@Nullable Throwable> ending;

	private int running;

	private int keepers;

	private boolean ended;

	/**
	 * Create a lease under which nothing runs yet.
	 * @param acquisition the lease
	 * @param ending gives it back; called with what the code has thrown that ran under it
	 * last, or null
	 */
	KeptLease(Acquisition acquisition, Consumer<@Nullable Throwable> ending) {
		this.acquisition = acquisition;
		this.ending = ending;
		acquisition.keptBy(this);
	}

	Acquisition acquisition() {
		return this.acquisition;
	}

	/**
	 * Run code under the lease, which is kept by the transactions that the code has taken
	 * part in and that are still open when it is done.
	 * @param callback the code
	 * @return what the code returns
	 */
	<T extends @Nullable Object, E extends Throwable> T execute(FencedCallback<T, E> callback) throws E {
		Throwable failure = null;
		Set<OpenTransaction> suspended = enter();
		try {
			return callback.execute(this.acquisition);
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			leave(suspended, failure);
		}
	}

	/**
	 * Begin to run code under the lease.
	 * @return the transactions that the code has no part in
	 */
	Set<OpenTransaction> enter() {
		Set<OpenTransaction> suspended = OpenTransactions.suspended();
		this.running++;
		FencingContextHolder.bind(this.acquisition);
		return suspended;
	}

	/**
	 * Note that code which was run under the lease is done.
	 * @param suspended the transactions that it had no part in
	 * @param failure what it has thrown; null if it returned, or if that is not known
	 */
	void leave(Set<OpenTransaction> suspended, @Nullable Throwable failure) {
		FencingContextHolder.unbind(this.acquisition);
		try {
			keepUntilCompletionOf(OpenTransactions.allBut(suspended));
		}
		finally {
			this.running--;
			endIfUnused(failure);
		}
	}

	private void keepUntilCompletionOf(Collection<OpenTransaction> transactions) {
		for (OpenTransaction transaction : transactions) {
			if (transaction.keep(this)) {
				this.keepers++;
			}
		}
	}

	/**
	 * Note that one of the transactions is completed.
	 */
	void completed() {
		this.keepers--;
		endIfUnused(null);
	}

	private void endIfUnused(@Nullable Throwable failure) {
		if (this.running == 0 && this.keepers == 0 && !this.ended) {
			this.ended = true;
			this.ending.accept(failure);
		}
	}

}
