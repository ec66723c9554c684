package dev.fencing.autoconfigure;

import java.sql.Connection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcUtils;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.JdbcRejectionHistory;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionPage;
import dev.fencing.rejection.RejectionWriter;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.SomeRejections;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Applications that store rejections in a table, and those that do not.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RejectionStoreTests {

	private static final String JDBC = "--fencing.rejections.store=jdbc";

	private static final String CREATE = "--fencing.jdbc.initialize-schema=always";

	private static final String FOR_EVER = "--fencing.rejections.retention=0";

	@Test
	void memoryIsTheStoreUnlessAnotherIsSet() {
		try (ConfigurableApplicationContext context = Startup.start(Startup.WithoutRedis.class, Startup.WORKING)) {
			assertThat(context.getBean(RejectionHistory.class)).isInstanceOf(RejectionLog.class);
			assertThat(context.getBeansOfType(RejectionWriter.class)).isEmpty();
			assertThat(context.getBeansOfType(JdbcRejectionHistory.class)).isEmpty();
			assertThat(hasTable(context, "FENCING_REJECTION")).isFalse();
		}
	}

	@ParameterizedTest
	@EnumSource
	void refusalIsStoredAndListed(TestDatabase database) {
		String url = database.createDatabase();
		try (ConfigurableApplicationContext context = start(database, url, CREATE, "--fencing.instance-id=host-1")) {
			refuse(context);
			RejectionHistory history = context.getBean(RejectionHistory.class);
			assertThat(history).isInstanceOf(JdbcRejectionHistory.class).returns("jdbc", RejectionHistory::name);
			Awaitility.await().until(() -> !history.page(null, null, 10).rejections().isEmpty());
			RejectionLog log = context.getBean(RejectionLog.class);
			assertThat(log.total()).isOne();
			assertThat(history.page("document:42", null, 10).rejections()).singleElement().satisfies((stored) -> {
				Rejection kept = log.page(null, null, 1).rejections().get(0);
				assertThat(stored.instance()).isEqualTo("host-1");
				assertThat(stored.at()).isEqualTo(kept.at().truncatedTo(ChronoUnit.MICROS));
				assertThat(stored).usingRecursiveComparison().ignoringFields("at").isEqualTo(kept);
			});
		}
		// The evidence outlives the instance, and another one sees it
		try (ConfigurableApplicationContext context = start(database, url, "--fencing.instance-id=host-2")) {
			assertThat(context.getBean(RejectionLog.class).page(null, null, 1).rejections()).isEmpty();
			assertThat(context.getBean(RejectionHistory.class).page(null, null, 10).rejections()).singleElement()
				.returns("host-1", Rejection::instance);
		}
	}

	private static void refuse(ConfigurableApplicationContext context) {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> context.getBean(FencedLockTemplate.class)
				.executeWithoutResult(LockRequest.of("document").key(42), (lease) -> {
					context.getBean(GenerationRegistry.class)
						.register("document:42", FencingTokens.of(lease.generation() + 1, 0), "successor");
					lease.assertCurrent();
				}));
	}

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "MARIADB" })
	void missingTableIsAnsweredWithItsScript(TestDatabase database) {
		String url = database.createDatabase();
		start(database, url, CREATE).close();
		JdbcTemplate jdbc = jdbc(database, url);
		jdbc.execute("drop table FENCING_REJECTION");
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, arguments(database, url));
		assertThat(analysis.getDescription()).contains("FENCING_REJECTION", "fencing.rejections.store=jdbc", "exist");
		assertThat(analysis.getAction()).contains("V1__fencing_rejection.sql", "CREATE TABLE FENCING_REJECTION (",
				"resource_id varchar(400)", "accepted_token bigint,", "fencing_rejected_resource",
				"fencing.jdbc.initialize-schema to always",
				"classpath:dev/fencing/flyway/rejection/%s to".formatted(database.name().toLowerCase(Locale.ROOT)),
				"dev/fencing/liquibase/rejection.xml", "select and insert", "delete");
		// What is printed creates what is missing
		Stream.of(script(analysis).split(";\n")).forEach(jdbc::execute);
		start(database, url).close();
	}

	private static String script(FailureAnalysis analysis) {
		String action = analysis.getAction();
		return action.substring(action.indexOf("CREATE TABLE"), action.lastIndexOf(';') + 1);
	}

	@Test
	void missingTableOfAnotherNameIsAnsweredWithThatName() {
		String url = PostgresTestServer.createDatabase();
		jdbc(TestDatabase.POSTGRESQL, url).execute("create schema app");
		String[] named = arguments(TestDatabase.POSTGRESQL, url, CREATE, "--fencing.rejections.table-name=app.refused",
				FOR_EVER);
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, named);
		assertThat(analysis.getDescription()).contains("app.refused");
		assertThat(analysis.getAction())
			.contains("CREATE TABLE app.refused (", "ON app.refused (resource_id, id)", "fencing.rejections.schema")
			.doesNotContain("FENCING_REJECTION", "delete");
		jdbc(TestDatabase.POSTGRESQL, url).execute("drop table fencing_rejection");
		Stream.of(script(analysis).split(";\n")).forEach(jdbc(TestDatabase.POSTGRESQL, url)::execute);
		try (ConfigurableApplicationContext context = Startup.start(Startup.WithoutRedis.class, named)) {
			refuse(context);
			Awaitility.await()
				.until(() -> !context.getBean(RejectionHistory.class).page(null, null, 1).rejections().isEmpty());
		}
		assertThat(jdbc(TestDatabase.POSTGRESQL, url).queryForObject("select count(*) from app.refused", Integer.class))
			.isOne();
	}

	@Test
	void scriptThatCannotBeReadIsNamed() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, arguments(TestDatabase.H2,
				TestDatabase.H2.createDatabase(), "--fencing.rejections.schema=classpath:none.sql"));
		assertThat(analysis.getDescription()).contains("fencing.rejections.schema", "none.sql");
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert", "delete" })
	void missingRightIsTold(String right) {
		String url = PostgresTestServer.createDatabase();
		start(TestDatabase.POSTGRESQL, url, CREATE).close();
		JdbcTemplate jdbc = jdbc(TestDatabase.POSTGRESQL, url);
		String user = "without_" + right;
		jdbc.execute("create role %s login password 'secret'".formatted(user));
		jdbc.execute("grant all on fencing_generation, fencing_rejection to " + user);
		jdbc.execute("revoke %s on fencing_rejection from %s".formatted(right, user));
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, asUser(url, user));
		assertThat(analysis.getDescription()).contains("permission denied");
		jdbc.execute("grant %s on fencing_rejection to %s".formatted(right, user));
		Startup.start(Startup.WithoutRedis.class, asUser(url, user)).close();
		if (right.equals("delete")) {
			jdbc.execute("revoke delete on fencing_rejection from " + user);
			Startup.start(Startup.WithoutRedis.class, asUser(url, user, FOR_EVER)).close();
			Startup.start(Startup.WithoutRedis.class, asUser(url, user, "--fencing.rejections.retention=")).close();
		}
	}

	private static String[] asUser(String url, String user, String... more) {
		return Stream.concat(Stream.of("--fencing.provider=memory", JDBC, "--spring.datasource.url=" + url,
				"--spring.datasource.username=" + user, "--spring.datasource.password=secret",
				"--spring.datasource.hikari.maximum-pool-size=2"), Stream.of(more))
			.toArray(String[]::new);
	}

	@ParameterizedTest
	@EnumSource
	void worksWithoutRegistration(TestDatabase database) {
		try (ConfigurableApplicationContext context = start(database, database.createDatabase(), CREATE,
				"--fencing.jdbc.registration=false")) {
			Rejection rejection = SomeRejections.of("document:1");
			context.getBean(RejectionWriter.class).rejected(rejection);
			RejectionHistory history = context.getBean(RejectionHistory.class);
			Awaitility.await()
				.untilAsserted(() -> assertThat(history.page("document:1", null, 1))
					.isEqualTo(new RejectionPage(List.of(rejection), null)));
			assertThat(hasTable(context, "FENCING_GENERATION")).isFalse();
		}
	}

	@Test
	void embeddedDatabaseGetsItsTableByItself() {
		String[] arguments = Stream.concat(Stream.of(Startup.WORKING), Stream.of(JDBC)).toArray(String[]::new);
		try (ConfigurableApplicationContext context = Startup.start(Startup.WithoutRedis.class, arguments)) {
			assertThat(hasTable(context, "FENCING_REJECTION")).isTrue();
			assertThat(hasTable(context, "FENCING_GENERATION")).isTrue();
		}
	}

	@Test
	void lazyApplicationStoresToo() {
		TestDatabase database = TestDatabase.H2;
		try (ConfigurableApplicationContext context = start(database, database.createDatabase(), CREATE,
				"--spring.main.lazy-initialization=true")) {
			refuse(context);
			Awaitility.await()
				.until(() -> !context.getBean(RejectionHistory.class).page(null, null, 1).rejections().isEmpty());
		}
	}

	@Test
	void whatWaitsIsStoredBeforeTheDataSourceCloses() throws Exception {
		TestDatabase database = TestDatabase.POSTGRESQL;
		String url = database.createDatabase();
		RejectionWriter writer;
		try (ConfigurableApplicationContext context = start(database, url, CREATE)) {
			writer = context.getBean(RejectionWriter.class);
			// The writer gets no connection before the context is being closed
			Connection first = context.getBean(DataSource.class).getConnection();
			Connection second = context.getBean(DataSource.class).getConnection();
			for (int number = 0; number < 50; number++) {
				writer.rejected(SomeRejections.of("document:" + number));
			}
			context.addApplicationListener((ApplicationListener<ContextClosedEvent>) (event) -> {
				JdbcUtils.closeConnection(first);
				JdbcUtils.closeConnection(second);
			});
		}
		assertThat(writer.dropped()).isZero();
		assertThat(jdbc(database, url).queryForObject("select count(*) from fencing_rejection", Integer.class))
			.isEqualTo(50);
	}

	@Test
	void instancesOfOneDatabaseAreListedTogether() {
		TestDatabase database = TestDatabase.POSTGRESQL;
		String url = database.createDatabase();
		try (ConfigurableApplicationContext first = start(database, url, CREATE, "--fencing.instance-id=host-1");
				ConfigurableApplicationContext second = start(database, url, "--fencing.instance-id=host-2")) {
			Instant now = Instant.now();
			for (int number = 0; number < 20; number++) {
				first.getBean(RejectionWriter.class).rejected(SomeRejections.of("document:1", now, "host-1"));
				second.getBean(RejectionWriter.class).rejected(SomeRejections.of("document:2", now, "host-2"));
			}
			Awaitility.await().until(() -> first.getBean(RejectionWriter.class).waiting() == 0);
			Awaitility.await().until(() -> second.getBean(RejectionWriter.class).waiting() == 0);
			assertThat(inPages(first.getBean(RejectionHistory.class))).hasSize(40)
				.isEqualTo(inPages(second.getBean(RejectionHistory.class)))
				.satisfies((all) -> assertThat(all).filteredOn((rejection) -> rejection.instance().equals("host-1"))
					.hasSize(20));
		}
	}

	private static List<Rejection> inPages(RejectionHistory history) {
		List<Rejection> all = new ArrayList<>();
		RejectionPage page = history.page(null, null, 7);
		all.addAll(page.rejections());
		while (page.next() != null) {
			page = history.page(null, page.next(), 7);
			all.addAll(page.rejections());
		}
		return all;
	}

	@Test
	void historyOfTheApplicationComesFirst() {
		for (String store : List.of("memory", "jdbc")) {
			String[] arguments = Stream
				.concat(Stream.of(Startup.WORKING), Stream.of("--fencing.rejections.store=" + store))
				.toArray(String[]::new);
			try (ConfigurableApplicationContext context = Startup.start(WithHistory.class, arguments)) {
				assertThat(context.getBean(RejectionHistory.class).name()).isEqualTo("own");
				assertThat(context.getBean(RejectionLog.class)).isNotNull();
			}
		}
	}

	@Test
	void logOfTheApplicationIsNotTakenForTheTable() {
		String[] arguments = Stream.concat(Stream.of(Startup.WORKING), Stream.of(JDBC)).toArray(String[]::new);
		try (ConfigurableApplicationContext context = Startup.start(WithLog.class, arguments)) {
			assertThat(context.getBean(RejectionHistory.class)).isInstanceOf(JdbcRejectionHistory.class);
		}
	}

	private static ConfigurableApplicationContext start(TestDatabase database, String url, String... more) {
		return Startup.start(Startup.WithoutRedis.class, arguments(database, url, more));
	}

	private static String[] arguments(TestDatabase database, String url, String... more) {
		String user = switch (database) {
			case POSTGRESQL -> "postgres";
			case MARIADB -> "fencing";
			case H2 -> "";
		};
		return Stream.concat(Stream.of("--fencing.provider=memory", JDBC, "--spring.datasource.url=" + url,
				"--spring.datasource.username=" + user, "--spring.datasource.password=" + user,
				"--spring.datasource.hikari.maximum-pool-size=2"), Stream.of(more))
			.toArray(String[]::new);
	}

	private static JdbcTemplate jdbc(TestDatabase database, String url) {
		String user = (database == TestDatabase.POSTGRESQL) ? "postgres" : "fencing";
		return new JdbcTemplate(new DriverManagerDataSource(url, user, user));
	}

	private static boolean hasTable(ConfigurableApplicationContext context, String table) {
		try {
			context.getBean(JdbcTemplate.class).queryForList("select * from " + table);
			return true;
		}
		catch (BadSqlGrammarException ex) {
			return false;
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class WithHistory extends Startup.WithoutRedis {

		@Bean
		RejectionHistory ownHistory() {
			return new RejectionHistory() {
				@Override
				public String name() {
					return "own";
				}

				@Override
				public RejectionPage page(String resource, Long before, int size) {
					return new RejectionPage(List.of(), null);
				}
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WithLog extends Startup.WithoutRedis {

		@Bean
		RejectionLog ownLog() {
			return new RejectionLog(3);
		}

	}

}
