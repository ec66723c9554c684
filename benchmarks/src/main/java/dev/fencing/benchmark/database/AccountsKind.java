package dev.fencing.benchmark.database;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

import dev.fencing.autoconfigure.FencingAutoConfiguration;
import dev.fencing.autoconfigure.FencingJdbcAutoConfiguration;
import dev.fencing.autoconfigure.FencingRedisAutoConfiguration;
import dev.fencing.benchmark.peer.LettucePeer;
import dev.fencing.benchmark.server.BenchServers;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * The services that are measured beside each other, each in an application of its own.
 *
 * @since 0.1.0
 */
public enum AccountsKind {

	/**
	 * Without any lock.
	 */
	PLAIN("plain @Transactional", PlainApplication.class),

	/**
	 * With lock, registration and guard by hand.
	 */
	HAND_WRITTEN("hand-written lock, registration and guard", HandWrittenApplication.class),

	/**
	 * With this project.
	 */
	FENCED("@FencedLock @Transactional", FencedApplication.class);

	private final String title;

	private final Class<?> application;

	AccountsKind(String title, Class<?> application) {
		this.title = title;
		this.application = application;
	}

	/**
	 * Return its name in tables.
	 * @return the name; never null
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Start the application.
	 * @param databaseUrl the JDBC URL of the database; never null
	 * @param properties more properties; never null
	 * @return the application, to be closed by the caller; never null
	 */
	ConfigurableApplicationContext start(String databaseUrl, Map<String, Object> properties) {
		Map<String, Object> all = new LinkedHashMap<>(
				Map.of("spring.datasource.url", databaseUrl, "spring.datasource.username", "postgres",
						"spring.datasource.password", "postgres", "spring.data.redis.host", "127.0.0.1",
						"spring.data.redis.port", BenchServers.redisPort(), "fencing.jdbc.initialize-schema", "always",
						// A busy machine takes its time for the first one
						"fencing.lock.wait-time", "30s",
						// A Redis that writes nothing to disk is meant to be one
						"fencing.redis.durability-check", "off"));
		all.putAll(properties);
		return new SpringApplicationBuilder(this.application).properties(all)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.run();
	}

	/**
	 * What all of them have: a pool, transactions.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			TransactionAutoConfiguration.class })
	static class DatabaseApplication {

	}

	/**
	 * Without any lock.
	 */
	@Configuration(proxyBeanMethods = false)
	static class PlainApplication extends DatabaseApplication {

		@Bean
		PlainAccounts accounts(JdbcTemplate jdbc) {
			return new PlainAccounts(jdbc);
		}

	}

	/**
	 * With a lock by hand.
	 */
	@Configuration(proxyBeanMethods = false)
	static class HandWrittenApplication extends DatabaseApplication {

		@Bean
		LettucePeer locks() {
			return new LettucePeer(BenchServers.redisPort(), Duration.ofSeconds(30));
		}

		@Bean
		HandWrittenAccounts accounts(LettucePeer locks, JdbcTemplate jdbc,
				PlatformTransactionManager transactionManager) {
			return new HandWrittenAccounts(locks, jdbc, transactionManager);
		}

	}

	/**
	 * With this project.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, FencingAutoConfiguration.class,
			FencingJdbcAutoConfiguration.class, FencingRedisAutoConfiguration.class })
	static class FencedApplication extends DatabaseApplication {

		@Bean
		FencedAccounts accounts(FencedJdbcTemplate fencedJdbc) {
			return new FencedAccounts(fencedJdbc);
		}

	}

}
