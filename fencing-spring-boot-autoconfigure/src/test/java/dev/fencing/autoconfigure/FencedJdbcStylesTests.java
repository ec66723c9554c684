package dev.fencing.autoconfigure;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

import dev.fencing.jdbc.FencedConnections;
import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.FencedJdbcClient;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.jdbc.FencedNamedParameterJdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The helpers that an application finds, in the three styles that Spring has.
 */
class FencedJdbcStylesTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				TransactionManagerCustomizationAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				JdbcClientAutoConfiguration.class, FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class,
				FencingRedisAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "fencing.provider=memory");

	@Test
	void eachStyleIsThereBesidesSpringsOwn() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(FencedJdbcTemplate.class)
			.hasSingleBean(FencedNamedParameterJdbcTemplate.class)
			.hasSingleBean(FencedJdbcClient.class)
			.hasSingleBean(JdbcOperations.class)
			.hasSingleBean(NamedParameterJdbcOperations.class)
			.hasSingleBean(JdbcClient.class));
	}

	@Test
	void ownBeansReplaceThem() {
		this.contextRunner.withUserConfiguration(OwnStyles.class)
			.run((context) -> assertThat(context).hasSingleBean(FencedNamedParameterJdbcTemplate.class)
				.hasSingleBean(FencedJdbcClient.class)
				.hasBean("ownNamed")
				.hasBean("ownClient"));
	}

	@Test
	void whereThereAreSeveralTemplatesTheApplicationSaysWhichOneTheStylesUse() {
		this.contextRunner.withUserConfiguration(TwoTemplates.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(FencedNamedParameterJdbcTemplate.class)
				.doesNotHaveBean(FencedJdbcClient.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnStyles {

		@Bean
		FencedNamedParameterJdbcTemplate ownNamed(FencedJdbcTemplate fencedJdbc) {
			return new FencedNamedParameterJdbcTemplate(fencedJdbc);
		}

		@Bean
		FencedJdbcClient ownClient(FencedJdbcTemplate fencedJdbc) {
			return FencedJdbcClient.create(fencedJdbc);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoTemplates {

		@Bean
		FencedJdbcTemplate first(FencedDataSource dataSource, FencedConnections connections) {
			return new FencedJdbcTemplate(dataSource, connections, null, "first_token");
		}

		@Bean
		FencedJdbcTemplate second(FencedDataSource dataSource, FencedConnections connections) {
			return new FencedJdbcTemplate(dataSource, connections, null, "second_token");
		}

	}

}
