package dev.fencing.autoconfigure;

import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import reactor.core.publisher.Mono;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.jta.JtaTransactionManager;

import dev.fencing.FencedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is told about methods that cannot be locked, and about transactions that cannot be
 * guarded.
 */
class LockedMethodSetupTests {

	@Test
	void transactionOutsideOfTheLock() {
		FailureAnalysis analysis = Startup.failure(TransactionOutside.class, Startup.WORKING);
		assertThat(analysis.getDescription()).contains("TransactionalService.work", "'service'",
				"inside the transaction", "order of the transaction: 0");
		assertThat(analysis.getAction()).contains("fencing.lock.order", "@EnableTransactionManagement");
	}

	@Test
	void orderOfTheLockThatPutsItInside() {
		FailureAnalysis analysis = Startup.failure(TransactionalLock.class,
				"--spring.datasource.generate-unique-name=true", "--fencing.provider=memory",
				"--fencing.lock.order=2147483647");
		assertThat(analysis.getDescription()).contains("TransactionalService.work", "inside the transaction");
		assertThat(analysis.getAction()).contains("fencing.lock.order");
	}

	@Test
	void reactiveReturnType() {
		FailureAnalysis analysis = Startup.failure(Reactive.class, Startup.WORKING);
		assertThat(analysis.getDescription()).contains("ReactiveService.work", "'service'", Mono.class.getName());
		assertThat(analysis.getAction()).contains("Let the method return its result itself");
	}

	@Test
	void unknownKeyParameter() {
		FailureAnalysis analysis = Startup.failure(UnknownParameter.class, Startup.WORKING);
		assertThat(analysis.getDescription()).contains("UnknownParameterService.work", "'service'", "#number", "#id");
		assertThat(analysis.getAction()).contains("Use one of them");
	}

	@Test
	void privateMethod() {
		FailureAnalysis analysis = Startup.failure(Private.class, Startup.WORKING);
		assertThat(analysis.getDescription()).contains("PrivateService.work", "'service'", "private");
		assertThat(analysis.getAction()).contains("Make it public");
	}

	@Test
	void keysWithSeveralPartitions() {
		FailureAnalysis analysis = Startup.failure(SeveralKeys.class, Startup.WORKING[0],
				"--fencing.redis.partitions=8");
		assertThat(analysis.getDescription()).contains("SeveralKeysService.work", "'service'", "'keys'",
				"fencing.redis.partitions is 8");
		assertThat(analysis.getAction()).contains("Lock a single resource", "fencing.redis.partitions to 1");
		Startup.start(SeveralKeys.class, Startup.WORKING[0], Startup.WORKING[1], "--fencing.redis.partitions=8")
			.close();
	}

	@Test
	void transactionManagerForJta() {
		FailureAnalysis analysis = Startup.failure(Jta.class, Startup.WORKING);
		assertThat(analysis.getDescription()).contains("'jta'", "JTA");
		assertThat(analysis.getAction()).contains("JdbcTransactionManager", "JpaTransactionManager");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 0)
	static class TransactionOutside extends Startup.WithoutRedis {

		@Bean
		TransactionalService service() {
			return new TransactionalService();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 1_000)
	static class TransactionalLock extends Startup.WithoutRedis {

		@Bean
		TransactionalService service() {
			return new TransactionalService();
		}

	}

	static class TransactionalService {

		@FencedLock("document")
		@Transactional
		public void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralKeys extends Startup.Application {

		@Bean
		SeveralKeysService service() {
			return new SeveralKeysService();
		}

	}

	static class SeveralKeysService {

		@FencedLock(name = "account", keys = "{1, 2}")
		public void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Reactive extends Startup.WithoutRedis {

		@Bean
		ReactiveService service() {
			return new ReactiveService();
		}

	}

	static class ReactiveService {

		@FencedLock("document")
		public Mono<String> work() {
			return Mono.just("");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnknownParameter extends Startup.WithoutRedis {

		@Bean
		UnknownParameterService service() {
			return new UnknownParameterService();
		}

	}

	static class UnknownParameterService {

		@FencedLock(name = "document", key = "#number")
		public void work(long id) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Private extends Startup.WithoutRedis {

		@Bean
		PrivateService service() {
			return new PrivateService();
		}

	}

	static class PrivateService {

		@FencedLock("document")
		private void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Jta extends Startup.WithoutRedis {

		@Bean
		PlatformTransactionManager jta() {
			return new JtaTransactionManager(Mockito.mock(UserTransaction.class),
					Mockito.mock(TransactionManager.class));
		}

	}

}
