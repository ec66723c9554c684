package dev.fencing.benchmark.startup;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

import dev.fencing.FencedLock;
import dev.fencing.benchmark.server.BenchServers;

/**
 * The tables that migrations of the application would have created.
 */
final class StartupDatabase {

	private StartupDatabase() {
	}

	/**
	 * Create what is missing.
	 */
	static void create() throws SQLException {
		try (Connection connection = DriverManager.getConnection(BenchServers.postgresUrl(), "postgres", "postgres")) {
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("jdbc/schema-postgresql.sql", FencedLock.class));
			ScriptUtils.executeSqlScript(connection, new ClassPathResource("tables.sql", StartupDatabase.class));
		}
	}

}
