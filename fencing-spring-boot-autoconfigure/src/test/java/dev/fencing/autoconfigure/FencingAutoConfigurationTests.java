package dev.fencing.autoconfigure;

import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.interceptor.FencedLockAdvisor;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;

class FencingAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				TransactionManagerCustomizationAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class,
				FencingRedisAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "fencing.provider=memory");

	@Test
	void annotatedMethodRunsUnderARegisteredLease() {
		this.contextRunner.withUserConfiguration(DocumentConfiguration.class).run((context) -> {
			assertThat(context).hasNotFailed();
			DocumentService service = context.getBean(DocumentService.class);
			long generation = service.rename(42, "new");
			assertThat(generation).isPositive();
			assertThat(context.getBean(JdbcTemplate.class)
				.queryForObject("select title from document where id = 42", String.class)).isEqualTo("new");
			assertThat(context.getBean(GenerationRegistry.class).find("document:42")).satisfies((registered) -> {
				assertThat(registered).isNotNull();
				assertThat(registered.token()).isEqualTo(generation * 1_000_000);
			});
			assertThat(FencingContext.current()).isEmpty();
			assertThat(context.getBean(LeaseProvider.class).find("document:42")).isNull();
		});
	}

	@Test
	void locksWithoutSpringBootsOwnAop() {
		this.contextRunner.withUserConfiguration(DocumentConfiguration.class)
			.withPropertyValues("spring.aop.auto=false")
			.run((context) -> assertThat(((Advised) context.getBean(DocumentService.class)).getAdvisors())
				.anyMatch(FencedLockAdvisor.class::isInstance));
	}

	@Test
	void memoryProviderIsUsedWhenAskedFor() {
		this.contextRunner.run((context) -> {
			assertThat(context).hasSingleBean(FencedLockTemplate.class);
			assertThat(context.getBean(LeaseProvider.class)).isInstanceOf(InMemoryLeaseProvider.class);
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class DocumentConfiguration {

		@Bean
		DocumentService documentService(JdbcTemplate jdbc) {
			jdbc.execute("create table document (id bigint primary key, title varchar(100), "
					+ "fencing_token bigint default 0 not null)");
			jdbc.update("insert into document (id, title) values (42, 'old')");
			return new DocumentService(jdbc);
		}

	}

	static class DocumentService {

		private final JdbcTemplate jdbc;

		DocumentService(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@FencedLock(name = "document", key = "#id")
		@Transactional
		public long rename(long id, String title) {
			this.jdbc.update("update document set title = ? where id = ?", title, id);
			return FencingContext.require("document", id).generation();
		}

	}

}
