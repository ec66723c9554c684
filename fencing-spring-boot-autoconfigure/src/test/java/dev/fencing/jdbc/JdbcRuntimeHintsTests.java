package dev.fencing.jdbc;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.hibernate.HibernateTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JdbcRuntimeHints}.
 */
class JdbcRuntimeHintsTests {

	@Test
	void everyScriptIsTakenAlong() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new JdbcRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(scripts())
			.containsAll(Arrays.stream(RegistryDialect.values())
				.flatMap((dialect) -> Stream.of("schema-" + dialect.platform() + ".sql",
						"rejection-schema-" + dialect.platform() + ".sql"))
				.toList())
			.allSatisfy((script) -> assertThat(hints)
				.matches(RuntimeHintsPredicates.resource().forResource("dev/fencing/jdbc/" + script)));
	}

	@Test
	void everyMigrationIsTakenAlong() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new JdbcRuntimeHints().registerHints(hints, getClass().getClassLoader());
		for (String pattern : List.of("flyway/**/*.sql", "liquibase/*.xml")) {
			Resource[] migrations = new PathMatchingResourcePatternResolver()
				.getResources("classpath*:dev/fencing/" + pattern);
			assertThat(migrations).isNotEmpty();
			for (Resource migration : migrations) {
				String url = migration.getURL().toString();
				assertThat(hints).as(url)
					.matches(RuntimeHintsPredicates.resource().forResource(url.substring(url.indexOf("dev/fencing/"))));
			}
		}
	}

	@Test
	void preparedStatementsCanBeStoodInFor() {
		RuntimeHints hints = new RuntimeHints();
		new JdbcRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(hints).matches(RuntimeHintsPredicates.proxies().forInterfaces(PreparedStatement.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { DataSourceTransactionManager.class, JpaTransactionManager.class,
			HibernateTransactionManager.class })
	void transactionManagersCanBeAskedForTheirDataSource(Class<?> manager) throws NoSuchMethodException {
		RuntimeHints hints = new RuntimeHints();
		new JdbcRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(hints)
			.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(manager.getMethod("getDataSource")));
	}

	@Test
	void areRegistered() {
		assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)).hasAtLeastOneElementOfType(JdbcRuntimeHints.class);
	}

	private static List<String> scripts() throws IOException {
		return Arrays
			.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:dev/fencing/jdbc/*.sql"))
			.map(Resource::getFilename)
			.toList();
	}

}
