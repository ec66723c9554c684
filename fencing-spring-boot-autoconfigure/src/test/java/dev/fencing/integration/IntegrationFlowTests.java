package dev.fencing.integration;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.handler.advice.LockRequestHandlerAdvice;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessagingException;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.StaleGenerationException;
import dev.fencing.autoconfigure.FencingAutoConfiguration;
import dev.fencing.autoconfigure.FencingJdbcAutoConfiguration;
import dev.fencing.autoconfigure.FencingRedisAutoConfiguration;
import dev.fencing.lease.HeldLeases;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Flows of an application that has Spring Integration and one bean of ours, on a real
 * Redis and a real PostgreSQL.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class IntegrationFlowTests {

	private static final RedisTestServer redis = RedisTestServer.started();

	private static ConfigurableApplicationContext context;

	private static JdbcTemplate jdbc;

	@BeforeAll
	static void start() {
		context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + redis.port(),
					"--spring.datasource.url=" + PostgresTestServer.createDatabase(),
					"--spring.datasource.username=postgres", "--spring.datasource.password=postgres",
					"--spring.datasource.hikari.maximum-pool-size=5", "--fencing.jdbc.initialize-schema=always");
		jdbc = context.getBean(JdbcTemplate.class);
		jdbc.execute("create table document (title varchar(40))");
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@BeforeEach
	void reset() {
		assertThat(context.getBean(HeldLeases.class).calls()).isZero();
		jdbc.update("delete from document");
		jdbc.update("insert into document values ('old')");
	}

	@Test
	void handlerRunsUnderALease() {
		rename("new", () -> assertThat(FencingContext.require().resource()).isEqualTo("integration:42"));
		assertThat(titles()).containsExactly("new");
		assertThat(FencingContext.current()).isEmpty();
	}

	@Test
	void handlerOfAStaleOwnerIsRefused() {
		assertThatExceptionOfType(MessagingException.class)
			.isThrownBy(() -> rename("stale", IntegrationFlowTests::takeOver))
			.withRootCauseInstanceOf(StaleGenerationException.class);
		assertThat(titles()).containsExactly("old");
		assertThat(FencingContext.current()).isEmpty();
	}

	@Test
	void messageInsideATransactionIsRefused() {
		TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		assertThatExceptionOfType(MessagingException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> rename("new", () -> {
			})))
			.withRootCauseInstanceOf(LockInsideTransactionException.class);
		assertThat(titles()).containsExactly("old");
	}

	@Test
	void aggregatorReleasesItsGroupUnderTheLeaseOfTheGroup() throws Exception {
		MessageChannel input = context.getBean("collecting.input", MessageChannel.class);
		input.send(MessageBuilder.withPayload("a").build());
		input.send(MessageBuilder.withPayload("b").build());
		Released released = context.getBean(Collected.class).groups.take();
		assertThat(released.payloads()).isEqualTo(List.of("a", "b"));
		assertThat(released.lock()).isEqualTo("integration");
		assertThat(FencingContext.current()).isEmpty();
	}

	private static void rename(String title, Runnable before) {
		context.getBean("renaming.input", MessageChannel.class)
			.send(MessageBuilder.withPayload(title).setHeader("document", 42).setHeader("before", before).build());
	}

	/**
	 * Register a later owner over a connection of its own.
	 */
	private static void takeOver() {
		TransactionTemplate own = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		own.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		own.executeWithoutResult((status) -> jdbc.update("update fencing_generation set "
				+ "fencing_token = fencing_token + 1000000, owner = 'another' where resource_id = 'integration:42'"));
	}

	private static List<String> titles() {
		return jdbc.queryForList("select title from document", String.class);
	}

	record Released(Object payloads, String lock) {

	}

	static class Documents {

		@Transactional
		public void rename(String title, Runnable before) {
			jdbc.update("update document set title = ?", title);
			before.run();
		}

	}

	static class Collected {

		private final BlockingQueue<Released> groups = new LinkedBlockingQueue<>();

		void add(Object payloads) {
			this.groups.add(new Released(payloads, FencingContext.require().name()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableIntegration
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			TransactionManagerCustomizationAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			DataRedisAutoConfiguration.class, FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class,
			FencingRedisAutoConfiguration.class })
	@Import({ Documents.class, Collected.class })
	static class Application {

		@Bean
		LockRegistry<?> lockRegistry(FencedLockTemplate locks) {
			return new FencedLockRegistry(locks);
		}

		@Bean
		LockRequestHandlerAdvice lockedDocument(LockRegistry<?> locks) {
			return new LockRequestHandlerAdvice(locks, (message) -> message.getHeaders().get("document"));
		}

		@Bean
		IntegrationFlow renaming(Documents documents, LockRequestHandlerAdvice lockedDocument) {
			return (flow) -> flow.handle(String.class, (title, headers) -> {
				documents.rename(title, headers.get("before", Runnable.class));
				return null;
			}, (endpoint) -> endpoint.advice(lockedDocument));
		}

		@Bean
		IntegrationFlow collecting(LockRegistry<?> locks, Collected collected) {
			return (flow) -> flow
				.aggregate((aggregator) -> aggregator.lockRegistry(locks)
					.correlationStrategy((message) -> "all")
					.releaseStrategy((group) -> group.size() == 2)
					.expireGroupsUponCompletion(true))
				.handle((payload, headers) -> {
					collected.add(payload);
					return null;
				});
		}

	}

}
