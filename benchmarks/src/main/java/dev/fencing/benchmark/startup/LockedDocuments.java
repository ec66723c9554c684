package dev.fencing.benchmark.startup;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * The same service, with locks.
 */
class LockedDocuments extends Documents {

	LockedDocuments(JdbcClient jdbc) {
		super(jdbc);
	}

	@Override
	@FencedLock(name = "document", key = "#id")
	@Transactional
	void rename(long id, String title) {
		super.rename(id, title);
	}

	@Override
	@FencedLock(name = "document", key = "#id")
	@Transactional
	void delete(long id) {
		super.delete(id);
	}

}
