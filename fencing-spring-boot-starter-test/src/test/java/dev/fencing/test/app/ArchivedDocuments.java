package dev.fencing.test.app;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * Writes to a database that knows nothing of owners.
 */
@Service
public class ArchivedDocuments {

	private final JdbcTemplate archive;

	ArchivedDocuments(@Qualifier("archive") JdbcTemplate archive) {
		this.archive = archive;
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title) {
		this.archive.update("update archived_document set title = ? where id = ?", title, id);
	}

}
