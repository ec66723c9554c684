package dev.fencing.test.app;

import java.util.concurrent.CompletableFuture;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.StaleGenerationException;

/**
 * Writes in more than one place, and in more than one transaction.
 */
@Service
public class Notes {

	private final JdbcTemplate jdbc;

	private final AsyncWriter writer;

	private final Documents documents;

	Notes(JdbcTemplate jdbc, AsyncWriter writer, Documents documents) {
		this.jdbc = jdbc;
		this.writer = writer;
		this.documents = documents;
	}

	/**
	 * Write one row guarded, and another one on another thread in between.
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void renameAndNote(long id, String title) {
		this.jdbc.update("update document set title = ? where id = ?", title, id);
		this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
		this.writer.write(43, title).join();
	}

	/**
	 * Go on in the dark after a rejection.
	 */
	public void renameInAnyCase(long id, String title) {
		try {
			this.documents.rename(id, title);
		}
		catch (StaleGenerationException ex) {
			this.jdbc.update("update document set title = ? where id = ?", title, id);
			throw ex;
		}
	}

	/**
	 * Have another thread go on in the dark after a rejection.
	 */
	public void renameLater(long id, String title) {
		try {
			this.documents.rename(id, title);
		}
		catch (StaleGenerationException ex) {
			CompletableFuture.runAsync(() -> this.documents.renameWithoutLock(id, title)).join();
			throw ex;
		}
	}

	/**
	 * Try again under a new lease, as one should.
	 */
	public void renameStubbornly(long id, String title) {
		try {
			this.documents.rename(id, title);
		}
		catch (StaleGenerationException ex) {
			this.documents.rename(id, title);
		}
	}

	/**
	 * Two locks, of which the inner one is of the rows that are written.
	 */
	@FencedLock(name = "folder")
	public void renameInFolder(long id, String title) {
		this.documents.rename(id, title);
	}

	/**
	 * Two commits under one lease.
	 */
	@FencedLock(name = "document", key = "#id", minHold = "1h")
	public void renameTwice(long id, String title) {
		this.documents.renameInPart(id, title + ", in part");
		this.documents.renameInPart(id, title);
	}

}
