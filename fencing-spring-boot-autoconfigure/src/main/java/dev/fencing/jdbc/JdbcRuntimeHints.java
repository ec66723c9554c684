package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps scripts and migrations in native images, the stand-in for prepared statements,
 * and what transaction managers are asked for.
 *
 * @since 0.1.0
 */
public final class JdbcRuntimeHints implements RuntimeHintsRegistrar {

	/**
	 * Where {@link FencedDataSource#isManagedBy} finds the property; the first one is of
	 * Framework 7, the second of 6.
	 */
	private static final List<String> TRANSACTION_MANAGERS = List.of(
			"org.springframework.orm.jpa.hibernate.HibernateTransactionManager",
			"org.springframework.orm.hibernate5.HibernateTransactionManager",
			"org.springframework.orm.jpa.JpaTransactionManager",
			"org.springframework.jdbc.datasource.DataSourceTransactionManager");

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.proxies().registerJdkProxy(PreparedStatement.class);
		TRANSACTION_MANAGERS.forEach((manager) -> hints.reflection()
			.registerTypeIfPresent(classLoader, manager,
					(type) -> type.withMethod("getDataSource", List.of(), ExecutableMode.INVOKE)));
		hints.resources().registerPattern("dev/fencing/jdbc/schema-*.sql");
		hints.resources().registerPattern("dev/fencing/jdbc/rejection-schema-*.sql");
		hints.resources().registerPattern("dev/fencing/flyway/**");
		hints.resources().registerPattern("dev/fencing/liquibase/*");
	}

}
