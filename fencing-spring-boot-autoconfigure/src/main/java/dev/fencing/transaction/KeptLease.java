package dev.fencing.transaction;

import java.util.Collection;

/**
 * A lease, and the transactions that keep it beyond the return of the locked code: those
 * that were open around it, and those that it has left open. The last one to be completed
 * ends it.
 */
final class KeptLease {

	private final Acquisition acquisition;

	private final Runnable ending;

	private int keepers;

	KeptLease(Acquisition acquisition, Runnable ending) {
		this.acquisition = acquisition;
		this.ending = ending;
	}

	Acquisition acquisition() {
		return this.acquisition;
	}

	void keepUntilCompletionOf(Collection<OpenTransaction> transactions) {
		for (OpenTransaction transaction : transactions) {
			if (transaction.keep(this)) {
				this.keepers++;
			}
		}
	}

	boolean isKept() {
		return this.keepers > 0;
	}

	/**
	 * Note that one of the transactions is completed.
	 */
	void completed() {
		this.keepers--;
		if (this.keepers == 0) {
			this.ending.run();
		}
	}

}
