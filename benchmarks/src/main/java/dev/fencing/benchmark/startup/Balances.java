package dev.fencing.benchmark.startup;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/**
 * A service of the application that reads.
 */
class Balances {

	private final JdbcClient jdbc;

	Balances(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@Transactional(readOnly = true)
	long total() {
		return this.jdbc.sql("select coalesce(sum(balance), 0) from startup_account").query(Long.class).single();
	}

}
