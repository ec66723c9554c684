package dev.fencing.neighbour.migration;

import java.sql.Connection;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.fencing.neighbour.TestDatabases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Liquibase creates our tables when a changelog includes ours.
 */
class LiquibaseTests {

	private static final String CHANGELOG = "neighbour/liquibase/changelog.yaml";

	static Stream<Named<Supplier<String>>> databases() {
		return Stream.of(Named.of("PostgreSQL", TestDatabases::postgres), Named.of("H2", TestDatabases::h2));
	}

	@ParameterizedTest
	@MethodSource("databases")
	void tablesAreThereBeforeTheyAreLookedFor(Supplier<String> database) {
		String url = database.get();
		for (int i = 1; i <= 2; i++) {
			try (ConfigurableApplicationContext context = start(url)) {
				assertThat(MigratedApplication.rename(context)).isOne();
				assertThat(ourChangeSets(context)).isEqualTo(2);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void tablesAreThereBeforeTheyAreLookedForWhereBeansAreLazy(Supplier<String> database) {
		try (ConfigurableApplicationContext context = start(database.get(), "spring.main.lazy-initialization=true",
				"fencing.rejections.store=memory")) {
			assertThat(MigratedApplication.rename(context)).isOne();
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void tableThatIsThereAlreadyIsLeftAsItIs(Supplier<String> database) {
		String url = database.get();
		try (ConfigurableApplicationContext context = MigratedApplication.start(url,
				"fencing.jdbc.initialize-schema=always")) {
			context.getBean(JdbcTemplate.class).update("""
					insert into FENCING_GENERATION (resource_id, fencing_token, owner, registered_at)
					values ('document:1', 1, 'somebody', current_timestamp)""");
		}
		try (ConfigurableApplicationContext context = start(url)) {
			assertThat(MigratedApplication.rename(context)).isOne();
			assertThat(MigratedApplication.count(context, "select count(*) from FENCING_GENERATION")).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void rollbackDropsTheTables(Supplier<String> database) throws Exception {
		String url = database.get();
		start(url).close();
		DataSource dataSource = new DriverManagerDataSource(url);
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		assertThatCode(() -> jdbc.execute("select * from FENCING_REJECTION")).doesNotThrowAnyException();
		try (Connection connection = dataSource.getConnection();
				Liquibase liquibase = new Liquibase(CHANGELOG, new ClassLoaderResourceAccessor(),
						new JdbcConnection(connection))) {
			liquibase.rollback(2, "");
		}
		assertThatThrownBy(() -> jdbc.execute("select * from FENCING_REJECTION")).isNotNull();
		assertThatThrownBy(() -> jdbc.execute("select * from FENCING_GENERATION")).isNotNull();
		assertThatCode(() -> jdbc.execute("select * from document")).doesNotThrowAnyException();
	}

	private static ConfigurableApplicationContext start(String url, String... properties) {
		return MigratedApplication.start(url,
				Stream
					.concat(Stream.of("spring.liquibase.enabled=true",
							"spring.liquibase.change-log=classpath:" + CHANGELOG, "fencing.rejections.store=jdbc"),
							Stream.of(properties))
					.toArray(String[]::new));
	}

	private static int ourChangeSets(ConfigurableApplicationContext context) {
		return MigratedApplication.count(context,
				"select count(*) from databasechangelog where author = 'fencing' and exectype = 'EXECUTED'");
	}

}
