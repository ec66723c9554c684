package dev.fencing.jdbc;

import java.sql.PreparedStatement;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps the schema scripts in native images, and the stand-in for prepared statements.
 *
 * @since 0.1.0
 */
public final class JdbcRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.proxies().registerJdkProxy(PreparedStatement.class);
		hints.resources().registerPattern("dev/fencing/jdbc/schema-*.sql");
		hints.resources().registerPattern("dev/fencing/jdbc/rejection-schema-*.sql");
	}

}
