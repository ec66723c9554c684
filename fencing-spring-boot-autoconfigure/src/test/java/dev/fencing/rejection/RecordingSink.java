package dev.fencing.rejection;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Stores rejections in memory, as well as a test lets it.
 */
final class RecordingSink implements RejectionSink {

	private final Map<String, String> stored = new ConcurrentHashMap<>();

	private final List<String> order = new CopyOnWriteArrayList<>();

	private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

	private final AtomicInteger calls = new AtomicInteger();

	private final List<Instant> deletions = new CopyOnWriteArrayList<>();

	private final ConcurrentLinkedQueue<Integer> deleted = new ConcurrentLinkedQueue<>();

	private volatile CountDownLatch gate = new CountDownLatch(0);

	private volatile Consumer<List<RejectionEntry>> fault = (entries) -> {
	};

	private volatile Runnable whileDeleting = () -> {
	};

	@Override
	public void write(List<RejectionEntry> entries) {
		this.threads.add(Thread.currentThread());
		this.calls.incrementAndGet();
		awaitGate();
		this.fault.accept(entries);
		for (RejectionEntry entry : entries) {
			String resource = entry.rejection().resource();
			if (this.stored.putIfAbsent(entry.key(), resource) == null) {
				this.order.add(resource);
			}
		}
	}

	private void awaitGate() {
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("Interrupted while storing", ex);
		}
	}

	@Override
	public int deleteBefore(Instant time, int atMost) {
		this.deletions.add(time);
		this.whileDeleting.run();
		Integer number = this.deleted.poll();
		if (number == null) {
			throw new IllegalStateException("Nothing can be deleted");
		}
		return number;
	}

	/**
	 * Hang from now on.
	 * @return what lets it go on
	 */
	CountDownLatch hang() {
		this.gate = new CountDownLatch(1);
		return this.gate;
	}

	/**
	 * Do something before each attempt to store.
	 */
	void before(Consumer<List<RejectionEntry>> fault) {
		this.fault = fault;
	}

	void unavailable() {
		before((entries) -> {
			throw new RejectionSinkUnavailableException("away\nfor now", new IllegalStateException());
		});
	}

	void available() {
		before((entries) -> {
		});
	}

	void deletes(int... numbers) {
		for (int number : numbers) {
			this.deleted.add(number);
		}
	}

	/**
	 * Do something during each deletion.
	 */
	void whileDeleting(Runnable work) {
		this.whileDeleting = work;
	}

	/** The resources that are stored, in order. */
	List<String> stored() {
		return List.copyOf(this.order);
	}

	Set<Thread> threads() {
		return this.threads;
	}

	int calls() {
		return this.calls.get();
	}

	/** The times before which was deleted. */
	List<Instant> deletions() {
		return List.copyOf(this.deletions);
	}

}
