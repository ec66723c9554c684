package dev.fencing.benchmark.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import dev.fencing.benchmark.server.BenchServers;
import dev.fencing.jdbc.JdbcGenerationRegistry;

/**
 * The tables that are measured on.
 */
final class BenchTables {

	/**
	 * How many accounts there are.
	 */
	static final int ACCOUNTS = 10_000;

	private BenchTables() {
	}

	/**
	 * Make the accounts anew, and the registries: no row remembers a token of another
	 * measurement.
	 */
	static void create() {
		run((jdbc) -> {
			for (String table : List.of("account", HandWrittenAccounts.REGISTRY,
					JdbcGenerationRegistry.DEFAULT_TABLE_NAME, "FENCING_REJECTION")) {
				jdbc.execute("drop table if exists " + table);
			}
			jdbc.execute("""
					create table account (id bigint primary key, balance bigint not null, \
					fencing_token bigint default 0 not null)""");
			jdbc.update("insert into account (id, balance) select id, 0 from generate_series(0, ? - 1) id", ACCOUNTS);
			jdbc.execute("vacuum analyze account");
			createRegistry(jdbc, HandWrittenAccounts.REGISTRY);
		});
	}

	/**
	 * Fill a registry with resources of the lock {@code account}, whose keys count from 0
	 * on, unless that has been done before.
	 * @param rows how many resources
	 * @return the name of its table
	 */
	static String registryOf(int rows) {
		String table = "registry_of_" + rows;
		run((jdbc) -> {
			if (jdbc.queryForObject("select to_regclass(?)", String.class, table) != null) {
				return;
			}
			createRegistry(jdbc, table);
			jdbc.update("""
					insert into %s (resource_id, fencing_token, owner, registered_at) \
					select 'account:' || key, 1, '-', current_timestamp from generate_series(0, ? - 1) key"""
				.formatted(table), rows);
			jdbc.execute("vacuum analyze " + table);
			jdbc.execute("checkpoint");
		});
		return table;
	}

	private static void createRegistry(JdbcTemplate jdbc, String table) {
		try {
			jdbc.execute(new ClassPathResource("dev/fencing/jdbc/schema-postgresql.sql")
				.getContentAsString(StandardCharsets.UTF_8)
				.replace(JdbcGenerationRegistry.DEFAULT_TABLE_NAME, table));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void run(Work work) {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(BenchServers.postgresUrl(), "postgres",
				"postgres", true);
		try {
			work.run(new JdbcTemplate(connection));
		}
		finally {
			connection.destroy();
		}
	}

	/**
	 * Statements on one connection.
	 */
	@FunctionalInterface
	private interface Work {

		void run(JdbcTemplate jdbc);

	}

}
