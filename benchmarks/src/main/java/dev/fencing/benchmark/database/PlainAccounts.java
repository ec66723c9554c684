package dev.fencing.benchmark.database;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Writes without any lock.
 *
 * @since 0.1.0
 */
public class PlainAccounts implements Accounts {

	private final JdbcTemplate jdbc;

	/**
	 * Create the service.
	 * @param jdbc writes; never null
	 */
	public PlainAccounts(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Override
	@Transactional
	public void deposit(long id) {
		this.jdbc.update("update account set balance = balance + 1 where id = ?", id);
	}

}
