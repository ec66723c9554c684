package dev.fencing.benchmark.database;

/**
 * A service that writes one row at each call.
 *
 * @since 0.1.0
 */
public interface Accounts {

	/**
	 * Put something into an account.
	 * @param id the account
	 */
	void deposit(long id);

}
