package dev.fencing.test.app;

import org.springframework.stereotype.Service;

import dev.fencing.FencedLock;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Writes through a fenced helper.
 */
@Service
public class HelpedDocuments {

	private final FencedJdbcTemplate fencedJdbc;

	HelpedDocuments(FencedJdbcTemplate fencedJdbc) {
		this.fencedJdbc = fencedJdbc;
	}

	@FencedLock(name = "document", key = "#id")
	public void rename(long id, String title) {
		this.fencedJdbc.update("update document set title = ? where id = ?", title, id);
	}

}
