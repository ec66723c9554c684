package dev.fencing.test.app;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * Writes in a transaction on the fenced database.
 */
@Service
public class Documents {

	private final JdbcTemplate jdbc;

	Documents(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title) {
		this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
		this.jdbc.update("update document set title = ? where id = ?", title, id);
	}

	@FencedLock(name = "document", key = "#id")
	public void renameWithoutTransaction(long id, String title) {
		this.jdbc.update("update document set title = ? where id = ?", title, id);
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void fail(long id) {
		this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
		throw new UnsupportedOperationException("Document %d cannot be renamed".formatted(id));
	}

	@Transactional
	public void renameWithoutLock(long id, String title) {
		this.jdbc.update("update document set title = ? where id = ?", title, id);
	}

	@Transactional
	public void renameInPart(long id, String title) {
		renameWithoutLock(id, title);
	}

	public String title(long id) {
		return this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
	}

}
