package dev.fencing.autoconfigure;

import java.util.List;
import java.util.Properties;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RecordingDataSource;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the lock costs a transaction: two statements, one commit and two round trips to
 * Redis.
 */
class LockedTransactionCostTests {

	@Test
	void lockAddsTwoStatementsOneCommitAndTwoCommandsOfRedis() {
		try (RedisTestServer redis = RedisTestServer.started();
				HikariDataSource pool = PostgresTestServer.pool(PostgresTestServer.createDatabase(), 2)) {
			new ApplicationContextRunner()
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataRedisAutoConfiguration.class,
						DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
						JdbcTemplateAutoConfiguration.class, FencingAutoConfiguration.class,
						FencingJdbcAutoConfiguration.class, FencingRedisAutoConfiguration.class))
				.withUserConfiguration(DocumentConfiguration.class)
				.withBean(DataSource.class, () -> new RecordingDataSource(pool))
				.withPropertyValues("spring.data.redis.port=" + redis.port(), "fencing.jdbc.initialize-schema=always",
						"fencing.lock.wait-time=30s")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					compare(context.getBean(DocumentService.class),
							(RecordingDataSource) context.getBean(DataSource.class),
							context.getBean(RedisConnectionFactory.class));
				});
		}
	}

	private static void compare(DocumentService service, RecordingDataSource dataSource, RedisConnectionFactory redis) {
		service.rename(42, "known from now on: the row of the registry, the primary key, the scripts");
		dataSource.statements();
		dataSource.commits();

		service.renameUnlocked(42, "plain");
		assertThat(dataSource.statements()).containsExactly("update document set title = ? where id = ?");
		assertThat(dataSource.commits()).isOne();

		long commandsBefore = scriptCalls(redis);
		service.rename(42, "fenced");
		List<String> statements = dataSource.statements();
		assertThat(statements).hasSize(3);
		assertThat(statements.get(0)).startsWith("update FENCING_GENERATION set fencing_token = ?");
		assertThat(statements.get(1)).startsWith("update document set title = ?, fencing_token = ? where");
		assertThat(statements.get(2)).startsWith("select").endsWith("for update");
		// The registration commits by itself: the connection is in auto-commit
		assertThat(dataSource.commits()).isOne();
		assertThat(scriptCalls(redis) - commandsBefore).isEqualTo(2);
	}

	private static long scriptCalls(RedisConnectionFactory redis) {
		try (RedisConnection connection = redis.getConnection()) {
			Properties statistics = connection.serverCommands().info("commandstats");
			assertThat(statistics).isNotNull();
			String evalsha = statistics.getProperty("cmdstat_evalsha");
			return Long.parseLong(evalsha.substring("calls=".length(), evalsha.indexOf(',')));
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class DocumentConfiguration {

		@Bean
		DocumentService documentService(JdbcTemplate jdbc, FencedJdbcTemplate fencedJdbc) {
			jdbc.execute("create table document (id bigint primary key, title varchar(100), "
					+ "fencing_token bigint not null default 0)");
			jdbc.update("insert into document (id, title) values (42, 'old')");
			return new DocumentService(jdbc, fencedJdbc);
		}

	}

	static class DocumentService {

		private final JdbcTemplate jdbc;

		private final FencedJdbcTemplate fencedJdbc;

		DocumentService(JdbcTemplate jdbc, FencedJdbcTemplate fencedJdbc) {
			this.jdbc = jdbc;
			this.fencedJdbc = fencedJdbc;
		}

		@FencedLock(name = "document", key = "#id")
		@Transactional
		public void rename(long id, String title) {
			assertThat(this.fencedJdbc.update("update document set title = ? where id = ?", title, id)).isOne();
		}

		@Transactional
		public void renameUnlocked(long id, String title) {
			this.jdbc.update("update document set title = ? where id = ?", title, id);
		}

	}

}
