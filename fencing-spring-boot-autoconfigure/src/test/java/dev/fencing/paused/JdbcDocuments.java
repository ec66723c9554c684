package dev.fencing.paused;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.FencingContext;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Documents, written by statements.
 */
@Service
class JdbcDocuments {

	private static final String UPDATE = "update document set title = ? where id = ?";

	private final JdbcTemplate jdbc;

	private final FencedJdbcTemplate fencedJdbc;

	private final Pauses pauses;

	JdbcDocuments(JdbcTemplate jdbc, FencedJdbcTemplate fencedJdbc, Pauses pauses) {
		this.jdbc = jdbc;
		this.fencedJdbc = fencedJdbc;
		this.pauses = pauses;
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional(WorkerApplication.JDBC)
	public long append(long id, String text, boolean fenced) {
		this.pauses.at(PausePoint.BEFORE_READ);
		String title = this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
		this.pauses.at(PausePoint.BEFORE_WRITE);
		if (fenced) {
			this.fencedJdbc.update(UPDATE, title + text, id);
		}
		else {
			this.jdbc.update(UPDATE, title + text, id);
		}
		this.pauses.at(PausePoint.BEFORE_COMMIT);
		return FencingContext.require().generation();
	}

}
