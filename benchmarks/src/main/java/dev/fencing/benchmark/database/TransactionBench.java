package dev.fencing.benchmark.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.JmhMeasurement;
import dev.fencing.benchmark.Results;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.Target;
import dev.fencing.benchmark.server.BenchServers;
import dev.fencing.benchmark.server.StatementLog;
import dev.fencing.benchmark.server.StatementLog.Asked;
import dev.fencing.benchmark.server.WireCommands;

/**
 * A service method with one update: what lock, registration and guard add to its
 * transaction.
 *
 * @since 0.1.0
 */
public final class TransactionBench implements Bench {

	/**
	 * The column with the statements of one call, without BEGIN and COMMIT.
	 */
	public static final String STATEMENTS = "SQL statements/call";

	/**
	 * The column with the commits of one call.
	 */
	public static final String COMMITS = "commits/call";

	/**
	 * The column with the commands that one call sends to Redis.
	 */
	public static final String ROUND_TRIPS = "Redis round trips/call";

	private static final List<Integer> THREADS = List.of(1, 8);

	private static final int CALLS = 100;

	@Override
	public String id() {
		return "B3";
	}

	@Override
	public String title() {
		return "A transaction with one update, locked, registered and guarded";
	}

	@Override
	public List<BenchCase> cases(Scale scale) {
		List<BenchCase> cases = new ArrayList<>();
		for (int threads : THREADS) {
			for (AccountsKind kind : AccountsKind.values()) {
				JmhMeasurement throughput = new JmhMeasurement(scale, TransactionBenchmark.class, "deposit",
						Map.of("kind", kind.name()), threads)
					.withRedis()
					.withPostgres()
					.withFewCalls();
				cases.add(new BenchCase(kind.title(), BenchCase.threads(threads), () -> {
					Map<String, Double> values = new LinkedHashMap<>(throughput.measure());
					if (threads == 1) {
						values.putAll(asked(kind));
					}
					return values;
				}));
			}
		}
		return cases;
	}

	private static Map<String, Double> asked(AccountsKind kind) throws Exception {
		BenchTables.create();
		try (StatementLog log = new StatementLog();
				ConfigurableApplicationContext application = kind.start(log.url(), Map.of())) {
			Accounts accounts = application.getBean(Accounts.class);
			// The resource is known from now on, the primary key, the scripts
			accounts.deposit(0);
			log.next();
			try (WireCommands commands = new WireCommands(BenchServers.redisPort())) {
				for (int i = 0; i < CALLS; i++) {
					accounts.deposit(0);
				}
				Asked asked = log.next();
				Map<String, Double> values = new LinkedHashMap<>();
				values.put(STATEMENTS, asked.statements().size() / (double) CALLS);
				values.put(COMMITS, asked.commits() / (double) CALLS);
				values.put(ROUND_TRIPS, commands.next().size() / (double) CALLS);
				return values;
			}
		}
	}

	@Override
	public Comparison comparison() {
		return new Comparison(JmhMeasurement.THROUGHPUT, AccountsKind.HAND_WRITTEN.title());
	}

	@Override
	public List<Target> targets(Results results) {
		List<Target> targets = new ArrayList<>();
		targets
			.add(Target.exactly(id(), "2 SQL statements more than a plain transaction", more(results, STATEMENTS), 2));
		targets.add(Target.exactly(id(), "1 commit more", more(results, COMMITS), 1));
		targets.add(Target.exactly(id(), "2 round trips to Redis more", more(results, ROUND_TRIPS), 2));
		for (int threads : THREADS) {
			targets.add(Target.atLeast(id(),
					"at least 1.0 of the same protection written by hand, " + BenchCase.threads(threads),
					results.ratio(AccountsKind.FENCED.title(), AccountsKind.HAND_WRITTEN.title(),
							BenchCase.threads(threads), JmhMeasurement.THROUGHPUT),
					1));
		}
		return targets;
	}

	private static double more(Results results, String column) {
		return results.value(AccountsKind.FENCED.title(), BenchCase.threads(1), column)
				- results.value(AccountsKind.PLAIN.title(), BenchCase.threads(1), column);
	}

}
