package dev.fencing.autoconfigure;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.transaction.FencedTransactionListener;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Set-ups in which something else than usual makes the beans: everything is locked and
 * guarded all the same, or the start fails.
 */
@ExtendWith(OutputCaptureExtension.class)
class FencingStartupTests {

	@Test
	void locksWithoutAopOfSpringBootAndWithoutTransactionManager() {
		try (ConfigurableApplicationContext context = Startup.start(WithoutTransactions.class,
				"--spring.aop.auto=false", "--fencing.provider=memory",
				"--spring.datasource.generate-unique-name=true")) {
			assertThat(context.getBeanProvider(PlatformTransactionManager.class).getIfAvailable()).isNull();
			assertThat(context.getBean(Service.class).generation(42)).isPositive();
		}
	}

	@Test
	void locksWhereAllBeansAreLazy() {
		try (ConfigurableApplicationContext context = Startup.start(ServiceApplication.class,
				"--spring.main.lazy-initialization=true", "--fencing.provider=memory",
				"--spring.datasource.generate-unique-name=true")) {
			assertThat(context.getBean(Service.class).generation(42)).isPositive();
		}
	}

	@Test
	void missingProviderStopsTheStartWhereAllBeansAreLazy() {
		FailureAnalysis analysis = Startup.failure(ServiceApplication.class, "--spring.main.lazy-initialization=true",
				"--spring.datasource.generate-unique-name=true");
		assertThat(analysis.getDescription()).contains("RedisConnectionFactory");
	}

	@Test
	void missingTableStopsTheStartWhereAllBeansAreLazy() {
		FailureAnalysis analysis = Startup.failure(ServiceApplication.class, "--spring.main.lazy-initialization=true",
				"--fencing.provider=memory", "--spring.datasource.generate-unique-name=true",
				"--fencing.jdbc.initialize-schema=never");
		assertThat(analysis.getDescription()).contains("FENCING_GENERATION");
	}

	@Test
	void lockedBeforeTheStartIsOver() {
		try (ConfigurableApplicationContext context = Startup.start(LockingWhileStarting.class, Startup.WORKING)) {
			assertThat(context.getBean("generationOfStart", Long.class)).isPositive();
		}
	}

	@Test
	void guardsAManagerThatWasMadeBeforeThePostProcessors() {
		assertRefusesStaleOwner(EarlyManager.class);
	}

	@Test
	void guardsAManagerThatTheApplicationDefines() {
		assertRefusesStaleOwner(OwnManager.class);
	}

	@Test
	void guardsAManagerOnce() {
		try (ConfigurableApplicationContext context = Startup.start(Startup.WithoutRedis.class, Startup.WORKING)) {
			assertThat(context.getBean(JdbcTransactionManager.class).getTransactionExecutionListeners())
				.filteredOn(FencedTransactionListener.class::isInstance)
				.hasSize(1);
		}
	}

	@Test
	void warnsOnceOfAManagerThatCannotBeListenedTo(CapturedOutput output) {
		Startup.start(ForeignManager.class, Startup.WORKING).close();
		assertThat(output).containsOnlyOnce("Transactions of 'foreign' are not guarded");
	}

	@Test
	void ordinaryAcquisitionSaysNothing(CapturedOutput output) {
		try (ConfigurableApplicationContext context = Startup.start(ServiceApplication.class,
				"--fencing.provider=memory", "--spring.datasource.generate-unique-name=true",
				"--logging.level.root=INFO")) {
			Service service = context.getBean(Service.class);
			service.generation(41);
			assertThat(output).doesNotContain("not eligible for getting processed by all BeanPostProcessors");
			int before = output.getAll().length();
			assertThat(service.generation(42)).isPositive();
			assertThat(output.getAll()).hasSize(before);
		}
	}

	private static void assertRefusesStaleOwner(Class<?> source) {
		try (ConfigurableApplicationContext context = Startup.start(source, "--fencing.provider=memory",
				"--spring.datasource.generate-unique-name=true",
				"--logging.level.org.springframework.context.support=error")) {
			JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
			jdbc.execute("create table counter (amount int)");
			TransactionTemplate transaction = new TransactionTemplate(
					context.getBean(PlatformTransactionManager.class));
			GenerationRegistry registry = context.getBean(GenerationRegistry.class);
			FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> locks.executeWithoutResult(LockRequest.of("counter"), (lease) -> {
					registry.register("counter", FencingTokens.of(lease.generation() + 1, 0), "successor");
					transaction.executeWithoutResult((status) -> jdbc.update("insert into counter values (1)"));
				}));
			assertThat(jdbc.queryForObject("select count(*) from counter", Integer.class)).isZero();
		}
	}

	static class Service {

		@FencedLock(name = "document", key = "#id")
		@Transactional
		public long generation(long id) {
			return FencingContext.require("document", id).generation();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, FencingAutoConfiguration.class,
			FencingJdbcAutoConfiguration.class, FencingRedisAutoConfiguration.class })
	static class WithoutTransactions {

		@Bean
		Service service() {
			return new Service();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ServiceApplication extends Startup.WithoutRedis {

		@Bean
		Service service() {
			return new Service();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LockingWhileStarting extends Startup.WithoutRedis {

		@Bean
		Long generationOfStart(FencedLockTemplate locks) {
			return locks.<Long, RuntimeException>execute(LockRequest.of("start"), (lease) -> lease.generation());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnManager extends Startup.WithoutRedis {

		@Bean
		PlatformTransactionManager ownManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyManager extends Startup.WithoutRedis {

		@Bean
		static NeedsManager needsManager(PlatformTransactionManager manager) {
			return new NeedsManager(manager);
		}

	}

	record NeedsManager(PlatformTransactionManager manager) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ForeignManager extends Startup.WithoutRedis {

		@Bean
		PlatformTransactionManager foreign() {
			return new PlatformTransactionManager() {
				@Override
				public TransactionStatus getTransaction(TransactionDefinition definition) {
					throw new UnsupportedOperationException();
				}

				@Override
				public void commit(TransactionStatus status) {
				}

				@Override
				public void rollback(TransactionStatus status) {
				}
			};
		}

	}

}
