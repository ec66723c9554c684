package dev.fencing.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.Registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Resources that nobody has locked before, many at once. The registry would ask again
 * after a deadlock, so that the database's own count tells.
 */
class NewResourcesTests {

	private static final int THREADS = 8;

	private static final int RESOURCES = 400;

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void neverDeadlockOnInnoDb(boolean autoCommit) throws Exception {
		try (FencedStack stack = on(TestDatabase.MARIADB, autoCommit)) {
			stack.registry().register("resource", 1_000_000, "owner");
			long before = deadlocks(stack);
			onAllThreads((i) -> register(stack, "resource:" + i, 1));
			assertThat(deadlocks(stack) - before).isZero();
			assertThat(rows(stack)).isEqualTo(RESOURCES + 1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "POSTGRESQL, true", "POSTGRESQL, false", "H2, true", "H2, false", "MARIADB, true", "MARIADB, false" })
	void ofOneNameHaveOneRow(TestDatabase database, boolean autoCommit) throws Exception {
		try (FencedStack stack = on(database, autoCommit)) {
			onAllThreads((i) -> register(stack, "resource:" + i / THREADS, 1 + i % THREADS));
			assertThat(rows(stack)).isEqualTo(RESOURCES / THREADS);
			assertThat(IntStream.range(0, RESOURCES / THREADS)).allSatisfy(
					(i) -> assertThat(stack.registry().find("resource:" + i).token()).isEqualTo(THREADS * 1_000_000L));
		}
	}

	@Test
	void connectionIsGivenBackAsItWas() throws SQLException {
		SingleConnectionDataSource single = new SingleConnectionDataSource(TestDatabase.H2.createDatabase(), true);
		single.setAutoCommit(false);
		try {
			JdbcGenerationRegistry registry = new JdbcGenerationRegistry(new FencedDataSource(single),
					() -> RegistryDialect.H2, JdbcGenerationRegistry.DEFAULT_TABLE_NAME, Duration.ofSeconds(5));
			assertThatExceptionOfType(BadSqlGrammarException.class).isThrownBy(registry::verify);
			assertThat(single.getConnection().getAutoCommit()).isFalse();
			new ResourceDatabasePopulator(new ClassPathResource("dev/fencing/jdbc/schema-h2.sql")).execute(single);
			registry.register("resource", 1_000_000, "owner");
			assertThat(single.getConnection().getAutoCommit()).isFalse();
		}
		finally {
			single.destroy();
		}
	}

	private static FencedStack on(TestDatabase database, boolean autoCommit) {
		HikariDataSource pool = database.pool();
		pool.setAutoCommit(autoCommit);
		return FencedStack.on(pool, database, (dataSource) -> dataSource, new InMemoryLeaseProvider());
	}

	private static void register(FencedStack stack, String resource, long generation) {
		assertThat(stack.registry().register(resource, generation * 1_000_000, "owner-" + generation))
			.isInstanceOfAny(Registration.Accepted.class, Registration.Refused.class);
	}

	private static void onAllThreads(IntConsumer work) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<CompletableFuture<Void>> all = IntStream.range(0, RESOURCES)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> work.accept(i), threads))
				.toList();
			CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static int rows(FencedStack stack) {
		Integer count = stack.jdbc().queryForObject("select count(*) from FENCING_GENERATION", Integer.class);
		return (count != null) ? count : -1;
	}

	private static long deadlocks(FencedStack stack) {
		Map<String, Object> status = stack.jdbc().queryForMap("show global status like 'Innodb_deadlocks'");
		return Long.parseLong(String.valueOf(status.get("Value")));
	}

}
