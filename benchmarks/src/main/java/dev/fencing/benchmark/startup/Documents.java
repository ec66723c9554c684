package dev.fencing.benchmark.startup;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * A service of the application, which takes no locks.
 */
class Documents {

	private final JdbcClient jdbc;

	Documents(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@Transactional
	void rename(long id, String title) {
		this.jdbc.sql("update document set title = ? where id = ?").params(title, id).update();
	}

	@Transactional
	void delete(long id) {
		this.jdbc.sql("delete from document where id = ?").param(id).update();
	}

}
