package dev.fencing.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationAdvisor;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.MatchAlwaysTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionInterceptor;

import dev.fencing.FencedLock;
import dev.fencing.interceptor.LockingContexts.Transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Where the lock stands among the other advisors, and what is said if it is elsewhere.
 */
class InterceptionOrderTests {

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.log.start();
		logger().addAppender(this.log);
	}

	@AfterEach
	void stopListening() {
		logger().detachAppender(this.log);
	}

	@Test
	void lockIsOutsideOfTheTransactionByDefault() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Transactions.class, Worker.class)) {
			Advisor[] advisors = ((Advised) context.getBean(Worker.class)).getAdvisors();
			assertThat(Arrays.stream(advisors).map(Advisor::getAdvice))
				.hasExactlyElementsOfTypes(FencedLockInterceptor.class, TransactionInterceptor.class);
			assertThat(((Ordered) advisors[0]).getOrder()).isEqualTo(Integer.MAX_VALUE - 100);
		}
	}

	@Test
	void transactionOutsideOfTheLockStopsTheStart() {
		assertThat(LockingContexts.failureOf(TransactionsWithOrderZero.class, Worker.class)).satisfies((failure) -> {
			assertThat(failure.getMethod().getName()).isEqualTo("work");
			assertThat(failure.getReason()).contains("inside the transaction")
				.contains("order of the lock: 2147483547")
				.contains("order of the transaction: 0");
			assertThat(failure.getAction()).contains("fencing.lock.order").contains("@EnableTransactionManagement");
		});
	}

	@Test
	void transactionOnTheInterfaceIsFoundOutsideOfTheLockToo() {
		Throwable thrown = catchThrowable(() -> LockingContexts
			.start(Map.of("spring.aop.proxy-target-class", "false"), TransactionsWithOrderZero.class,
					WorkerWithInterface.class)
			.close());
		assertThat(LockingContexts.invalidLockIn(thrown).getReason()).contains("inside the transaction");
	}

	@Test
	void lockMayBeOrderedBeforeTheTransaction() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(Map.of("order", "-1"),
				TransactionsWithOrderZero.class, Worker.class)) {
			context.getBean(Worker.class).work();
			assertThat(context.getBean(RecordingLockTemplate.class).events()).containsExactly("acquire worker", "begin",
					"commit", "release worker");
		}
	}

	@Test
	void transactionOfAnotherMethodIsNoMatter() {
		try (AnnotationConfigApplicationContext context = LockingContexts.start(TransactionsWithOrderZero.class,
				SeparateWorker.class)) {
			context.getBean(SeparateWorker.class).work();
			assertThat(context.getBean(RecordingLockTemplate.class).events()).containsExactly("acquire worker",
					"release worker");
		}
	}

	@Test
	void transactionOfAProxyAroundTheLockStopsTheStart() {
		assertThat(LockingContexts.failureOf(OuterProxy.class, SeparateWorker.class)).satisfies((failure) -> {
			assertThat(failure.getReason()).contains("inside the transaction");
			assertThat(failure.getAction()).contains("proxied more than once");
		});
	}

	@Test
	void handoverToAnotherThreadInsideOfTheLockStopsTheStart() {
		assertThat(LockingContexts.failureOf(AsyncInside.class, AsyncWorker.class).getReason())
			.contains("the lock would be outside of @Async")
			.contains("order of the asynchronous advisor: 2147483647");
	}

	@Test
	void retryInsideOfTheLockIsReported() {
		LockingContexts.start(RetryInside.class, Worker.class, SeparateWorker.class).close();
		assertThat(warnings()).singleElement()
			.asString()
			.contains("InterceptionOrderTests$Worker.work() is retried inside its lock")
			.contains("RetryOperationsInterceptor")
			.contains("less than 2147483547");
	}

	@Test
	void retryByAnAspectInsideOfTheLockIsReported() {
		LockingContexts.start(Aspects.class, RetryAspect.class, OtherAspect.class, Worker.class).close();
		assertThat(warnings()).singleElement().asString().contains("Worker.work() is retried inside its lock");
	}

	@Test
	void retryOutsideOfTheLockIsNotReported() {
		LockingContexts.start(Map.of("retryOrder", "0"), RetryInside.class, Worker.class).close();
		LockingContexts.start(Retries.class, RetriedWorker.class).close();
		assertThat(warnings()).isEmpty();
	}

	private List<String> warnings() {
		return this.log.list.stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.WARN))
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger(InterceptionCheck.class);
	}

	interface Work {

		@Transactional
		@FencedLock("worker")
		void work();

	}

	static class Worker {

		@Transactional
		@FencedLock("worker")
		public void work() {
		}

	}

	static class WorkerWithInterface implements Work {

		@Override
		public void work() {
		}

	}

	static class SeparateWorker {

		@FencedLock("worker")
		public void work() {
		}

		@Transactional
		public void save() {
		}

	}

	static class RetriedWorker {

		@Retryable
		@FencedLock("worker")
		public void work() {
		}

	}

	static class AsyncWorker {

		@Async
		@FencedLock("worker")
		public void work() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 0)
	static class TransactionsWithOrderZero {

		@Bean
		RecordingTransactionManager transactionManager(RecordingLockTemplate template) {
			return new RecordingTransactionManager(template.events());
		}

	}

	/**
	 * Puts a proxy of its own around what the auto-proxy creator has made.
	 */
	static class OuterProxy implements BeanPostProcessor, Ordered {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (!(bean instanceof SeparateWorker)) {
				return bean;
			}
			ProxyFactory factory = new ProxyFactory(bean);
			factory.setProxyTargetClass(true);
			factory.addAdvice(new TransactionInterceptor(new RecordingTransactionManager(new ArrayList<>()),
					new MatchAlwaysTransactionAttributeSource()));
			return factory.getProxy();
		}

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AsyncInside {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor asyncAdvisor() {
			AsyncAnnotationAdvisor advisor = new AsyncAnnotationAdvisor(new SyncTaskExecutor(), null);
			advisor.setOrder(Ordered.LOWEST_PRECEDENCE);
			return advisor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RetryInside {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static Advisor retryAdvisor(Environment environment) {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.addMethodName("work");
			pointcut.setClassFilter((type) -> type == Worker.class);
			DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, new RetryOperationsInterceptor());
			advisor.setOrder(environment.getProperty("retryOrder", Integer.class, Ordered.LOWEST_PRECEDENCE));
			return advisor;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	static class Retries {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy
	static class Aspects {

	}

	@Aspect
	@Order(Ordered.LOWEST_PRECEDENCE - 5)
	static class RetryAspect {

		@Around("execution(* dev.fencing.interceptor.InterceptionOrderTests.Worker.work())")
		@Nullable Object retry(ProceedingJoinPoint joinPoint) throws Throwable {
			return joinPoint.proceed();
		}

	}

	@Aspect
	@Order(Ordered.LOWEST_PRECEDENCE - 4)
	static class OtherAspect {

		@Around("execution(* dev.fencing.interceptor.InterceptionOrderTests.Worker.work())")
		@Nullable Object around(ProceedingJoinPoint joinPoint) throws Throwable {
			return joinPoint.proceed();
		}

	}

	/**
	 * Called like that of Spring Retry.
	 */
	static class RetryOperationsInterceptor implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			return invocation.proceed();
		}

	}

}
