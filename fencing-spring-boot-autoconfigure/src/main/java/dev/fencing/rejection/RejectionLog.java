package dev.fencing.rejection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.FencingListener;
import dev.fencing.Rejection;

/**
 * Keeps the last rejections of this instance in memory, for operators. It never grows
 * beyond its capacity: the oldest rejection makes room for a new one. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RejectionLog implements FencingListener, RejectionHistory {

	// A monitor would hold the thread that carries a virtual one
	private final ReentrantLock lock = new ReentrantLock();

	private final int capacity;

	private final Deque<Rejection> newestFirst = new ArrayDeque<>();

	private long total;

	/**
	 * Create a log.
	 * @param capacity how many rejections are kept; 0 to only count them
	 * @throws IllegalArgumentException if the capacity is negative
	 */
	public RejectionLog(int capacity) {
		Assert.isTrue(capacity >= 0, () -> "The capacity %d is negative".formatted(capacity));
		this.capacity = capacity;
	}

	@Override
	public void rejected(Rejection rejection) {
		this.lock.lock();
		try {
			this.total++;
			this.newestFirst.addFirst(rejection);
			if (this.newestFirst.size() > this.capacity) {
				this.newestFirst.removeLast();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String name() {
		return "memory";
	}

	/**
	 * Read a page of what is kept. A position is the number of a rejection since the
	 * start.
	 */
	@Override
	public RejectionPage page(@Nullable String resource, @Nullable Long before, int size) {
		List<Rejection> page = new ArrayList<>();
		Long last = null;
		long position;
		List<Rejection> kept;
		this.lock.lock();
		try {
			position = this.total;
			kept = List.copyOf(this.newestFirst);
		}
		finally {
			this.lock.unlock();
		}
		for (Rejection rejection : kept) {
			if ((before == null || position < before) && (resource == null || rejection.resource().equals(resource))) {
				if (page.size() == size) {
					return new RejectionPage(page, last);
				}
				page.add(rejection);
				last = position;
			}
			position--;
		}
		return new RejectionPage(page, null);
	}

	/**
	 * Return how many rejections there were since the start, also those that are not kept
	 * any more.
	 * @return the number of rejections
	 */
	public long total() {
		this.lock.lock();
		try {
			return this.total;
		}
		finally {
			this.lock.unlock();
		}
	}

}
