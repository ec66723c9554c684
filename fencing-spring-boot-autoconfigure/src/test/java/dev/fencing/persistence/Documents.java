package dev.fencing.persistence;

import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * Appends to the titles of documents, as applications of a framework do.
 */
abstract class Documents {

	/**
	 * Append under the lease, which is never renewed: a pause is as good as a frozen
	 * process.
	 */
	@FencedLock(name = "document", key = "#id", leaseTime = "500ms", maxHold = "500ms", waitTime = "30s")
	@Transactional
	public void append(long id, String text, Runnable pause) {
		appendUnlocked(id, text, pause);
	}

	@Transactional
	public void appendUnlocked(long id, String text, Runnable pause) {
		String title = read(id);
		pause.run();
		write(id, title + text);
	}

	protected abstract String read(long id);

	protected abstract void write(long id, String title);

}
