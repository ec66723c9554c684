package dev.fencing.benchmark.startup;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;

/**
 * Uses the database and Redis once at the start, as migrations, caches and readiness
 * probes do.
 */
class FirstUse implements ApplicationRunner {

	private final Balances balances;

	private final Visits visits;

	FirstUse(Balances balances, Visits visits) {
		this.balances = balances;
		this.visits = visits;
	}

	@Override
	public void run(ApplicationArguments arguments) {
		this.balances.total();
		this.visits.count("start");
	}

}
