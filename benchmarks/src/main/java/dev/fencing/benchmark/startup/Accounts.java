package dev.fencing.benchmark.startup;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * A service of the application that writes.
 */
class Accounts {

	private final JdbcClient jdbc;

	Accounts(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@Transactional
	void transfer(long from, long to, long amount) {
		add(from, -amount);
		add(to, amount);
	}

	private void add(long account, long amount) {
		this.jdbc.sql("update startup_account set balance = balance + ? where id = ?").params(amount, account).update();
	}

}
