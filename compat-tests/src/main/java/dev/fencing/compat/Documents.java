package dev.fencing.compat;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Renames documents, under the lease of each.
 */
@Service
public class Documents {

	private final FencedJdbcTemplate fencedJdbc;

	private final JdbcTemplate jdbc;

	Documents(FencedJdbcTemplate fencedJdbc, JdbcTemplate jdbc) {
		this.fencedJdbc = fencedJdbc;
		this.jdbc = jdbc;
	}

	/**
	 * Rename through the fenced helper, which stamps the row.
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title, Runnable beforeWrite) {
		beforeWrite.run();
		this.fencedJdbc.update("update document set title = ? where id = ?", title, id);
	}

	/**
	 * Rename with plain JDBC, which only the guard of the transaction protects.
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void renamePlainly(long id, String title, Runnable beforeWrite) {
		beforeWrite.run();
		this.jdbc.update("update document set title = ? where id = ?", title, id);
	}

}
