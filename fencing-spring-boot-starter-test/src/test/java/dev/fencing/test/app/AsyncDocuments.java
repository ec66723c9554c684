package dev.fencing.test.app;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * Has another thread write, and waits for it.
 */
@Service
public class AsyncDocuments {

	private final AsyncWriter writer;

	AsyncDocuments(AsyncWriter writer) {
		this.writer = writer;
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title) {
		this.writer.write(id, title).join();
	}

}
