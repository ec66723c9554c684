package dev.fencing.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the renewal thread has to do, the most urgent first. That thread takes, all others
 * put in and take out.
 */
final class RenewalQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final TreeSet<Renewal> scheduled = new TreeSet<>();

	private List<Runnable> answers = new ArrayList<>();

	private boolean asleep;

	private long wakesAt;

	/**
	 * Have a renewal taken at a time, instead of at the one before. Ignored once it is
	 * stopped.
	 */
	void schedule(Renewal renewal, long dueAt) {
		this.lock.lock();
		try {
			if (renewal.isStopped()) {
				return;
			}
			this.scheduled.remove(renewal);
			renewal.dueAt(dueAt);
			this.scheduled.add(renewal);
			// Usually it sleeps until an earlier one: waking it for each would cost more
			// than all the rest
			if (this.asleep && dueAt - this.wakesAt < 0) {
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Take a renewal out for good.
	 */
	void stop(Renewal renewal) {
		this.lock.lock();
		try {
			renewal.stop();
			this.scheduled.remove(renewal);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isStopped(Renewal renewal) {
		this.lock.lock();
		try {
			return renewal.isStopped();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Have an answer dealt with on the renewal thread.
	 */
	void answered(Runnable answer) {
		this.lock.lock();
		try {
			this.answers.add(answer);
			if (this.asleep) {
				this.changed.signal();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		this.lock.lock();
		try {
			return this.scheduled.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until there is something to do.
	 * @return the answers that have come, or else the renewals that are due
	 */
	Work take() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (true) {
				if (!this.answers.isEmpty()) {
					List<Runnable> taken = this.answers;
					this.answers = new ArrayList<>();
					return new Work(taken, List.of());
				}
				long now = System.nanoTime();
				long wait = this.scheduled.isEmpty() ? TimeUnit.HOURS.toNanos(1) : this.scheduled.first().dueAt() - now;
				if (wait <= 0) {
					return new Work(List.of(), due(now));
				}
				this.wakesAt = now + wait;
				this.asleep = true;
				try {
					this.changed.awaitNanos(wait);
				}
				finally {
					this.asleep = false;
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return what is due. It stays scheduled until it is given another time, so that none
	 * is lost to a failure in between.
	 */
	private List<Renewal> due(long now) {
		List<Renewal> due = new ArrayList<>();
		for (Renewal renewal : this.scheduled) {
			if (renewal.earliest() - now > 0) {
				break;
			}
			due.add(renewal);
		}
		return due;
	}

	/**
	 * What to do next.
	 *
	 * @param answers answers to renewals that were sent
	 * @param due renewals to be sent
	 */
	record Work(List<Runnable> answers, List<Renewal> due) {
	}

}
