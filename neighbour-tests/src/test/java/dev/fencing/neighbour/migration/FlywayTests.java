package dev.fencing.neighbour.migration;

import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.fencing.neighbour.TestDatabases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Flyway creates our tables when one of its locations is ours.
 */
class FlywayTests {

	private static final String OWN = "classpath:neighbour/flyway/first";

	private static final String OWN_AND_LATER = "classpath:neighbour/flyway";

	private static final String OURS = "classpath:dev/fencing/flyway/{vendor}";

	private static final String REJECTIONS = "classpath:dev/fencing/flyway/rejection/{vendor}";

	static Stream<Named<Supplier<String>>> databases() {
		return Stream.of(Named.of("PostgreSQL", TestDatabases::postgres), Named.of("H2", TestDatabases::h2));
	}

	@ParameterizedTest
	@MethodSource("databases")
	void tablesAreThereBeforeTheyAreLookedFor(Supplier<String> database) {
		try (ConfigurableApplicationContext context = start(database.get(), OWN + "," + OURS + "," + REJECTIONS,
				"fencing.rejections.store=jdbc")) {
			assertThat(MigratedApplication.rename(context)).isOne();
			assertThat(repeatableMigrations(context)).isEqualTo(2);
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void tablesAreThereBeforeTheyAreLookedForWhereBeansAreLazy(Supplier<String> database) {
		try (ConfigurableApplicationContext context = start(database.get(), OWN + "," + OURS,
				"spring.main.lazy-initialization=true")) {
			assertThat(MigratedApplication.rename(context)).isOne();
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void tableThatIsThereAlreadyIsLeftAsItIs(Supplier<String> database) {
		String url = database.get();
		JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url));
		try (ConfigurableApplicationContext context = MigratedApplication.start(url,
				"fencing.jdbc.initialize-schema=always")) {
			jdbc.execute("create table document (id bigint, title varchar(100))");
			assertThat(MigratedApplication.rename(context)).isOne();
		}
		// The baseline is greater than all that we could have numbered
		try (ConfigurableApplicationContext context = start(url, OWN + "," + OURS,
				"spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=2000")) {
			assertThat(repeatableMigrations(context)).isOne();
			assertThat(MigratedApplication.count(context, "select count(*) from FENCING_GENERATION")).isOne();
		}
	}

	@ParameterizedTest
	@MethodSource("databases")
	void schemaThatHasABaselineGetsTheTable(Supplier<String> database) {
		String url = database.get();
		new JdbcTemplate(new DriverManagerDataSource(url))
			.execute("create table document (id bigint, title varchar(100))");
		try (ConfigurableApplicationContext context = start(url, OWN + "," + OURS,
				"spring.flyway.baseline-on-migrate=true", "spring.flyway.baseline-version=2000")) {
			assertThat(MigratedApplication.rename(context)).isOne();
		}
	}

	@Test
	void versionsOfTheApplicationGoOnAsIfThereWereNoOthers() {
		String url = TestDatabases.postgres();
		try (ConfigurableApplicationContext context = start(url, OWN + "," + OURS)) {
			assertThat(MigratedApplication.rename(context)).isOne();
		}
		try (ConfigurableApplicationContext context = start(url, OWN_AND_LATER + "," + OURS)) {
			assertThat(MigratedApplication.count(context, "select count(*) from document")).isOne();
			assertThat(MigratedApplication.rename(context)).isOne();
			assertThat(repeatableMigrations(context)).isOne();
		}
	}

	@Test
	void locationThatIsTakenAwayIsMissedUnlessThatIsSaid() {
		String url = TestDatabases.postgres();
		start(url, OWN + "," + OURS).close();
		assertThatThrownBy(() -> start(url, OWN).close()).rootCause().hasMessageContaining("not resolved locally");
		try (ConfigurableApplicationContext context = start(url, OWN,
				"spring.flyway.ignore-migration-patterns=repeatable:missing")) {
			assertThat(MigratedApplication.rename(context)).isOne();
		}
	}

	@Test
	void withoutOurLocationTheStartFails() {
		assertThatThrownBy(() -> start(TestDatabases.h2(), OWN).close()).rootCause()
			.hasMessageContaining("FENCING_GENERATION");
	}

	private static ConfigurableApplicationContext start(String url, String locations, String... properties) {
		return MigratedApplication.start(url,
				Stream
					.concat(Stream.of("spring.flyway.enabled=true", "spring.flyway.locations=" + locations),
							Stream.of(properties))
					.toArray(String[]::new));
	}

	private static int repeatableMigrations(ConfigurableApplicationContext context) {
		return MigratedApplication.count(context,
				"select count(*) from \"flyway_schema_history\" where \"script\" like '%R__fencing%' and \"success\"");
	}

}
