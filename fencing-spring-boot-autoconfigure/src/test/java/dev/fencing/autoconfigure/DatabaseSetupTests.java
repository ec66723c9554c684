package dev.fencing.autoconfigure;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.testsupport.MariaDbTestServer;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which database set-ups start, and what the others are told.
 */
class DatabaseSetupTests {

	private static final String MEMORY = "--fencing.provider=memory";

	@Test
	void missingTableIsAnsweredWithItsScript() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class,
				onPostgres(PostgresTestServer.createDatabase()));
		assertThat(analysis.getDescription()).contains("FENCING_GENERATION", "relation", "does not exist");
		assertThat(analysis.getAction()).contains("CREATE TABLE FENCING_GENERATION (",
				"resource_id varchar(400) COLLATE \"C\" NOT NULL PRIMARY KEY", "fencing_token bigint NOT NULL",
				"owner varchar(64) NOT NULL", "registered_at timestamp with time zone NOT NULL",
				"V1__fencing_generation.sql", "fencing.jdbc.initialize-schema to always",
				"classpath:dev/fencing/flyway/postgresql to", "dev/fencing/liquibase/generation.xml");
	}

	@Test
	void printedScriptCreatesWhatIsMissing() {
		String url = PostgresTestServer.createDatabase();
		String action = Startup.failure(Startup.WithoutRedis.class, onPostgres(url)).getAction();
		String script = action.substring(action.indexOf("CREATE TABLE"), action.indexOf(';'));
		new JdbcTemplate(dataSource(url)).execute(script);
		assertLocks(onPostgres(url));
	}

	@Test
	void tableIsCreatedWhereThatIsWantedAndLeftAloneAfterwards() {
		String url = PostgresTestServer.createDatabase();
		String[] always = onPostgres(url, "--fencing.jdbc.initialize-schema=always");
		assertLocks(always);
		assertLocks(always);
		assertThat(new JdbcTemplate(dataSource(url)).queryForObject("select count(*) from fencing_generation",
				Integer.class))
			.isOne();
	}

	@Test
	void severalInstancesMayCreateTheTableAtOnce() throws Exception {
		String[] always = onPostgres(PostgresTestServer.createDatabase(), "--fencing.jdbc.initialize-schema=always");
		// Applications that share a JVM would set up its one logging system at once
		System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
		try {
			List<CompletableFuture<Void>> instances = Stream
				.generate(() -> CompletableFuture.runAsync(() -> assertLocks(always)))
				.limit(3)
				.toList();
			CompletableFuture.allOf(instances.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		}
		finally {
			System.clearProperty(LoggingSystem.SYSTEM_PROPERTY);
		}
	}

	@Test
	void embeddedDatabaseGetsItsTableByItself() {
		assertLocks(Startup.WORKING);
	}

	@Test
	void missingTableOfAnotherNameIsAnsweredWithThatName() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class,
				onPostgres(PostgresTestServer.createDatabase(), "--fencing.jdbc.table-name=app.fences"));
		assertThat(analysis.getDescription()).contains("app.fences");
		assertThat(analysis.getAction()).contains("CREATE TABLE app.fences (", "fencing.jdbc.schema")
			.doesNotContain("FENCING_GENERATION");
	}

	@Test
	void tableOfAnotherNameIsUsed() {
		String url = PostgresTestServer.createDatabase();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource(url));
		jdbc.execute("create schema app");
		jdbc.execute("create table app.fences (resource_id varchar(400) primary key, fencing_token bigint not null, "
				+ "owner varchar(64) not null, registered_at timestamp with time zone not null)");
		assertLocks(onPostgres(url, "--fencing.jdbc.table-name=app.fences"));
		assertThat(jdbc.queryForObject("select count(*) from app.fences", Integer.class)).isOne();
	}

	@Test
	void scriptThatCannotBeReadIsNamed() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class,
				onPostgres(PostgresTestServer.createDatabase(), "--fencing.jdbc.schema=classpath:none.sql"));
		assertThat(analysis.getDescription()).contains("fencing.jdbc.schema", "none.sql");
	}

	@Test
	void tableThatMayNotBeReadIsTold() {
		String url = PostgresTestServer.createDatabase();
		assertLocks(onPostgres(url, "--fencing.jdbc.initialize-schema=always"));
		new JdbcTemplate(dataSource(url)).execute("create role reader_of_nothing login password 'secret'");
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, MEMORY, "--spring.datasource.url=" + url,
				"--spring.datasource.username=reader_of_nothing", "--spring.datasource.password=secret");
		assertThat(analysis.getDescription()).contains("permission denied");
		assertThat(analysis.getAction()).contains("the right to select, insert and update");
	}

	@Test
	void noTableIsNeededWithoutRegistration() {
		try (ConfigurableApplicationContext context = Startup.start(Startup.WithoutRedis.class,
				onPostgres(PostgresTestServer.createDatabase(), "--fencing.jdbc.registration=false"))) {
			assertThat(context.getBeanProvider(GenerationRegistry.class).getIfAvailable()).isNull();
		}
	}

	@Test
	void withoutDataSource() {
		FailureAnalysis analysis = Startup.failure(WithoutDataSource.class, MEMORY);
		assertThat(analysis.getDescription()).contains("no DataSource");
		assertThat(analysis.getAction()).contains("spring.datasource.url");
	}

	@Test
	void withSeveralDataSources() {
		FailureAnalysis analysis = Startup.failure(TwoDataSources.class, MEMORY);
		assertThat(analysis.getDescription()).contains("DataSource", "documents", "archive");
		assertThat(analysis.getAction()).contains("@FencingDataSource", "@Primary");
	}

	@Test
	void markedDataSourceIsTaken() {
		assertTakesTheSecond(MarkedDataSource.class);
	}

	@Test
	void primaryDataSourceIsTaken() {
		assertTakesTheSecond(PrimaryDataSource.class);
	}

	@Test
	void markedDataSourceComesBeforeThePrimaryOne() {
		assertTakesTheSecond(MarkedBesidesPrimaryDataSource.class);
	}

	@Test
	void databaseThatIsNotSupported() {
		FailureAnalysis analysis = Startup.failure(ForeignDatabase.class, MEMORY);
		assertThat(analysis.getDescription()).contains("Foreign DB", "not supported");
		assertThat(analysis.getAction()).contains("postgresql, h2, mysql, mariadb, sqlserver, oracle",
				"fencing.jdbc.platform");
	}

	@Test
	void compatibleDatabaseIsTakenForWhatItIsSaidToBe() {
		try (ConfigurableApplicationContext context = Startup.start(ForeignDatabase.class, MEMORY,
				"--fencing.jdbc.platform=h2", "--fencing.jdbc.initialize-schema=always")) {
			assertThat(lock(context)).isPositive();
		}
	}

	@Test
	void platformThatIsNotKnown() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, MEMORY,
				"--spring.datasource.generate-unique-name=true", "--fencing.jdbc.platform=db2");
		assertThat(analysis.getDescription()).contains("db2");
		assertThat(analysis.getAction()).contains("postgresql, h2, mysql, mariadb, sqlserver, oracle",
				"fencing.jdbc.platform");
	}

	@ParameterizedTest
	@ValueSource(strings = { "mariadb", "mysql" })
	void mariaDbGetsItsTableThroughEitherDriver(String driver) {
		String url = MariaDbTestServer.createDatabase().replace("jdbc:mariadb:", "jdbc:" + driver + ":");
		String[] always = onMariaDb(url, "--fencing.jdbc.initialize-schema=always");
		assertLocks(always);
		assertLocks(always);
		assertThat(
				new JdbcTemplate(mariaDb(url)).queryForObject("select count(*) from FENCING_GENERATION", Integer.class))
			.isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mariadb", "mysql" })
	void missingTableOnMariaDbIsAnsweredWithItsScript(String driver) {
		String url = MariaDbTestServer.createDatabase().replace("jdbc:mariadb:", "jdbc:" + driver + ":");
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, onMariaDb(url));
		assertThat(analysis.getDescription()).contains("FENCING_GENERATION", "doesn't exist");
		String action = analysis.getAction();
		assertThat(action).contains("CREATE TABLE FENCING_GENERATION (", "COLLATE utf8mb4_nopad_bin");
		new JdbcTemplate(mariaDb(url)).execute(action.substring(action.indexOf("CREATE TABLE"), action.indexOf(';')));
		assertLocks(onMariaDb(url));
	}

	@Test
	void mariaDbIsTakenForWhatItIsSaidToBe() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class,
				onMariaDb(MariaDbTestServer.createDatabase(), "--fencing.jdbc.platform=mysql"));
		assertThat(analysis.getAction()).contains("COLLATE utf8mb4_0900_bin");
		assertLocks(onMariaDb(MariaDbTestServer.createDatabase(), "--fencing.jdbc.platform=mariadb",
				"--fencing.jdbc.initialize-schema=always"));
	}

	private static String[] onMariaDb(String url, String... more) {
		return Stream.concat(Stream.of(MEMORY, "--spring.datasource.url=" + url,
				"--spring.datasource.username=" + MariaDbTestServer.USER,
				"--spring.datasource.password=" + MariaDbTestServer.USER,
				"--spring.datasource.hikari.maximum-pool-size=2"), Stream.of(more))
			.toArray(String[]::new);
	}

	private static DataSource mariaDb(String url) {
		return new DriverManagerDataSource(url, MariaDbTestServer.USER, MariaDbTestServer.USER);
	}

	private static String[] onPostgres(String url, String... more) {
		return Stream.concat(
				Stream.of(MEMORY, "--spring.datasource.url=" + url, "--spring.datasource.username=postgres",
						"--spring.datasource.password=postgres", "--spring.datasource.hikari.maximum-pool-size=2"),
				Stream.of(more))
			.toArray(String[]::new);
	}

	private static DataSource dataSource(String url) {
		return new DriverManagerDataSource(url, "postgres", "postgres");
	}

	private static void assertLocks(String... arguments) {
		try (ConfigurableApplicationContext context = Startup.start(Startup.WithoutRedis.class, arguments)) {
			long generation = lock(context);
			assertThat(context.getBean(GenerationRegistry.class).find("document")).satisfies(
					(registered) -> assertThat(registered.token()).isGreaterThanOrEqualTo(generation * 1_000_000));
		}
	}

	private static long lock(ConfigurableApplicationContext context) {
		return context.getBean(FencedLockTemplate.class)
			.<Long, RuntimeException>execute(LockRequest.of("document"), (lease) -> lease.generation());
	}

	private static void assertTakesTheSecond(Class<?> source) {
		try (ConfigurableApplicationContext context = Startup.start(source, MEMORY)) {
			assertThat(context.getBean(FencedDataSource.class).unwrap()).isSameAs(context.getBean("documents"));
			assertThat(lock(context)).isPositive();
		}
	}

	static DataSource h2(String name) {
		return new DriverManagerDataSource("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class })
	static class WithoutDataSource {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources extends Startup.WithoutRedis {

		@Bean
		DataSource archive() {
			return h2("setup_archive");
		}

		@Bean
		DataSource documents() {
			return h2("setup_documents");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedDataSource extends Startup.WithoutRedis {

		@Bean
		DataSource archive() {
			return h2("setup_archive");
		}

		@Bean
		@FencingDataSource
		DataSource documents() {
			return h2("setup_documents");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryDataSource extends Startup.WithoutRedis {

		@Bean
		DataSource archive() {
			return h2("setup_archive");
		}

		@Bean
		@Primary
		DataSource documents() {
			return h2("setup_documents");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedBesidesPrimaryDataSource extends Startup.WithoutRedis {

		@Bean
		@Primary
		DataSource archive() {
			return h2("setup_archive");
		}

		@Bean
		@FencingDataSource
		DataSource documents() {
			return h2("setup_documents");
		}

	}

	/**
	 * H2 under another name.
	 */
	@Configuration(proxyBeanMethods = false)
	static class ForeignDatabase extends Startup.WithoutRedis {

		@Bean
		DataSource dataSource() {
			return new DelegatingDataSource(h2("setup_foreign")) {
				@Override
				public Connection getConnection() throws SQLException {
					Connection connection = Mockito.spy(super.getConnection());
					DatabaseMetaData metaData = Mockito.spy(connection.getMetaData());
					Mockito.doReturn("Foreign DB").when(metaData).getDatabaseProductName();
					Mockito.doReturn(metaData).when(connection).getMetaData();
					return connection;
				}
			};
		}

	}

}
