package dev.fencing.benchmark.database;

import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Writes under a lock of this project, as its users do.
 *
 * @since 0.1.0
 */
public class FencedAccounts implements Accounts {

	private final FencedJdbcTemplate fencedJdbc;

	/**
	 * Create the service.
	 * @param fencedJdbc writes and guards; never null
	 */
	public FencedAccounts(FencedJdbcTemplate fencedJdbc) {
		this.fencedJdbc = fencedJdbc;
	}

	@Override
	@FencedLock(name = "account", key = "#id")
	@Transactional
	public void deposit(long id) {
		write(id);
	}

	/**
	 * Put something into an account under any lock.
	 * @param key the key of the lock
	 * @param id the account
	 */
	@FencedLock(name = "account", key = "#key")
	@Transactional
	public void depositUnder(long key, long id) {
		write(id);
	}

	private void write(long id) {
		this.fencedJdbc.update("update account set balance = balance + 1 where id = ?", id);
	}

}
