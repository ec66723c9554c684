package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;

import dev.fencing.FencedLock;
import dev.fencing.FencingContext;
import dev.fencing.interceptor.FencedLockInterceptor;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The lease is taken before the transaction begins, and given back when it has ended,
 * however it ends.
 */
class ProtocolOrderTests {

	private static final List<String> COMMITTED = List.of("acquire", "begin", "body of a registered owner", "commit",
			"release");

	private static final List<String> ROLLED_BACK = List.of("acquire", "begin", "body of a registered owner",
			"rollback", "release");

	private static final List<String> events = new CopyOnWriteArrayList<>();

	@Test
	void annotationsOnTheClass() {
		assertOrder(AnnotatedClass.class);
	}

	@Test
	void annotationsOnTheInterface() {
		assertOrder(AnnotatedInterface.class);
	}

	@Test
	void annotationsOnTheInterfaceThatIsProxied() {
		assertOrder(AnnotatedInterface.class, "--spring.aop.proxy-target-class=false");
	}

	private static void assertOrder(Class<?> source, String... arguments) {
		String[] all = new String[arguments.length + Startup.WORKING.length];
		System.arraycopy(Startup.WORKING, 0, all, 0, Startup.WORKING.length);
		System.arraycopy(arguments, 0, all, Startup.WORKING.length, arguments.length);
		try (ConfigurableApplicationContext context = Startup.start(source, all)) {
			Work work = context.getBean(Work.class);
			assertThat(((Advised) work).getAdvisors()).extracting(Advisor::getAdvice)
				.extracting(Object::getClass)
				.containsSubsequence(List.of(FencedLockInterceptor.class, TransactionInterceptor.class));
			events.clear();
			work.run(null);
			assertThat(events).isEqualTo(COMMITTED);
			events.clear();
			UnsupportedOperationException failure = new UnsupportedOperationException();
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> work.run(failure))
				.isSameAs(failure);
			assertThat(events).isEqualTo(ROLLED_BACK);
		}
	}

	interface Work {

		void run(@Nullable RuntimeException failure);

	}

	static class Recorded extends Startup.WithoutRedis {

		@Bean
		LeaseProvider recordingProvider() {
			return new DelegatingLeaseProvider(new InMemoryLeaseProvider()) {
				@Override
				public LeaseAttempt acquire(LeaseRequest request) {
					events.add("acquire");
					return super.acquire(request);
				}

				@Override
				public boolean release(Lease lease, Duration blockedFor) {
					events.add("release");
					return super.release(lease, blockedFor);
				}
			};
		}

		@Bean
		TransactionExecutionListener recordingListener() {
			return new TransactionExecutionListener() {
				@Override
				public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
					events.add("begin");
				}

				@Override
				public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
					events.add("commit");
				}

				@Override
				public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
					events.add("rollback");
				}
			};
		}

		static void body(GenerationRegistry registry, JdbcTemplate jdbc, @Nullable RuntimeException failure) {
			FencingContext context = FencingContext.require();
			boolean registered = registry.find("work").token() >= context.generation() * 1_000_000;
			jdbc.queryForObject("select 1", Integer.class);
			events.add(registered ? "body of a registered owner" : "body");
			if (failure != null) {
				throw failure;
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedClass extends Recorded {

		@Bean
		Work work(GenerationRegistry registry, JdbcTemplate jdbc) {
			return new AnnotatedWork(registry, jdbc);
		}

	}

	static class AnnotatedWork implements Work {

		private final GenerationRegistry registry;

		private final JdbcTemplate jdbc;

		AnnotatedWork(GenerationRegistry registry, JdbcTemplate jdbc) {
			this.registry = registry;
			this.jdbc = jdbc;
		}

		@Override
		@FencedLock("work")
		@Transactional
		public void run(@Nullable RuntimeException failure) {
			Recorded.body(this.registry, this.jdbc, failure);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedInterface extends Recorded {

		@Bean
		FencedWork work(GenerationRegistry registry, JdbcTemplate jdbc) {
			return new PlainWork(registry, jdbc);
		}

	}

	interface FencedWork extends Work {

		@Override
		@FencedLock("work")
		@Transactional
		void run(@Nullable RuntimeException failure);

	}

	static class PlainWork implements FencedWork {

		private final GenerationRegistry registry;

		private final JdbcTemplate jdbc;

		PlainWork(GenerationRegistry registry, JdbcTemplate jdbc) {
			this.registry = registry;
			this.jdbc = jdbc;
		}

		@Override
		public void run(@Nullable RuntimeException failure) {
			Recorded.body(this.registry, this.jdbc, failure);
		}

	}

}
