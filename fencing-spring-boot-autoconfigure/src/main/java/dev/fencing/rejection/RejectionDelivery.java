package dev.fencing.rejection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Takes rejections out of a writer's queue and hands them to its sink. What has been
 * taken is kept until it is stored or dropped. Used by the writer's thread only.
 */
final class RejectionDelivery {

	private static final Log logger = LogFactory.getLog(RejectionWriter.class);

	private static final int BATCH_SIZE = 100;

	private final Queue<RejectionEntry> queue;

	private final RejectionSink sink;

	private final RejectionCount count;

	private final Deque<RejectionEntry> taken = new ArrayDeque<>(BATCH_SIZE);

	private boolean outage;

	RejectionDelivery(Queue<RejectionEntry> queue, RejectionSink sink, RejectionCount count) {
		this.queue = queue;
		this.sink = sink;
		this.count = count;
	}

	/**
	 * Return whether nothing is left to be stored.
	 */
	boolean isDone() {
		return this.taken.isEmpty() && this.queue.isEmpty();
	}

	/**
	 * Drop what has been taken, since there is no time left for another attempt.
	 */
	void giveUp() {
		for (; !this.taken.isEmpty(); this.taken.removeFirst()) {
			this.count.left();
		}
	}

	/**
	 * Store the next rejections.
	 * @return false if nothing can be stored now
	 */
	boolean tryNext() {
		take();
		try {
			if (!this.taken.isEmpty() && !writeTogether()) {
				writeEach();
			}
		}
		catch (RejectionSinkUnavailableException | VirtualMachineError ex) {
			failed(ex);
			return false;
		}
		succeeded();
		return true;
	}

	private void take() {
		while (this.taken.size() < BATCH_SIZE) {
			RejectionEntry entry = this.queue.poll();
			if (entry == null) {
				return;
			}
			this.taken.addLast(entry);
		}
	}

	private boolean writeTogether() {
		try {
			this.sink.write(List.copyOf(this.taken));
		}
		catch (RejectionSinkUnavailableException | VirtualMachineError ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			logger.debug("One of %d rejections cannot be stored, each is tried by itself".formatted(this.taken.size()),
					ex);
			return false;
		}
		this.count.stored(this.taken.size());
		this.taken.clear();
		return true;
	}

	private void writeEach() {
		while (!this.taken.isEmpty() && !this.count.isClosed()) {
			RejectionEntry entry = this.taken.getFirst();
			try {
				this.sink.write(List.of(entry));
			}
			catch (RejectionSinkUnavailableException | VirtualMachineError ex) {
				throw ex;
			}
			catch (RuntimeException | Error ex) {
				this.taken.removeFirst();
				this.count.dropped();
				warn("A rejection could not be stored and was dropped: %s"
					.formatted(RejectionLogger.describe(entry.rejection())), ex);
				continue;
			}
			this.taken.removeFirst();
			this.count.stored(1);
		}
	}

	private void failed(Throwable failure) {
		if (!this.outage) {
			this.outage = true;
			warn("Rejections cannot be stored now, which is tried again until it works, and up to %d are kept"
				.formatted(this.count.capacity()), failure);
		}
	}

	/**
	 * Without the stack trace: what a database says may hold a resource's key as it is.
	 */
	private static void warn(String message, Throwable failure) {
		logger.warn(message + ": " + LogText.quote(String.valueOf(failure.getMessage())));
		logger.debug(message, failure);
	}

	private void succeeded() {
		if (this.outage) {
			this.outage = false;
			logger.info("Rejections are stored again");
		}
		this.count.reportOverflow();
	}

}
