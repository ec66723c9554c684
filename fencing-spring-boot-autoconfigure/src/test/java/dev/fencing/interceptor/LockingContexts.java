package dev.fencing.interceptor;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Starts contexts with what locks methods, and nothing of Spring Boot.
 */
final class LockingContexts {

	private LockingContexts() {
	}

	static AnnotationConfigApplicationContext start(Class<?>... components) {
		return start(Map.of(), components);
	}

	static AnnotationConfigApplicationContext start(Map<String, Object> properties, Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		context.register(Locking.class, Template.class);
		context.register(components);
		try {
			context.refresh();
			return context;
		}
		catch (RuntimeException ex) {
			context.close();
			throw ex;
		}
	}

	/**
	 * Return why a context with these components does not start.
	 */
	static InvalidFencedLockException failureOf(Class<?>... components) {
		return invalidLockIn(catchThrowable(() -> start(components).close()));
	}

	static InvalidFencedLockException invalidLockIn(@Nullable Throwable thrown) {
		Throwable current = thrown;
		while (current != null && !(current instanceof InvalidFencedLockException)) {
			current = current.getCause();
		}
		assertThat(current).as("cause of %s", thrown).isInstanceOf(InvalidFencedLockException.class);
		return (InvalidFencedLockException) current;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(AutoProxyRegistrar.class)
	static class Locking extends LockingBeans {

	}

	/**
	 * All but the auto-proxy creator.
	 */
	static class LockingBeans {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static FencedLockOperationSource fencedLockOperationSource(Environment environment) {
			return new FencedLockOperationSource(environment);
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static FencedLockInterceptor fencedLockInterceptor(FencedLockOperationSource operations,
				ObjectProvider<FencedLockTemplate> template, BeanFactory beanFactory) {
			return new FencedLockInterceptor(operations, template, beanFactory);
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static FencedLockAdvisor fencedLockAdvisor(FencedLockOperationSource operations,
				FencedLockInterceptor interceptor, Environment environment) {
			FencedLockAdvisor advisor = new FencedLockAdvisor(operations, interceptor);
			advisor.setOrder(environment.getProperty("order", Integer.class, FencedLockAdvisor.DEFAULT_ORDER));
			return advisor;
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static FencedLockBeanVerifier fencedLockBeanVerifier(FencedLockOperationSource operations,
				ObjectProvider<FencingListener> listeners, ConfigurableListableBeanFactory beanFactory) {
			return new FencedLockBeanVerifier(operations, listeners, beanFactory);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Template {

		@Bean
		RecordingLockTemplate lockTemplate() {
			return new RecordingLockTemplate();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class Transactions {

		@Bean
		RecordingTransactionManager transactionManager(RecordingLockTemplate template) {
			return new RecordingTransactionManager(template.events());
		}

	}

}
