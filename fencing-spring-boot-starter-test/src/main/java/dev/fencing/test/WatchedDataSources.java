package dev.fencing.test;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Wraps the data sources of an application, so that a run sees the statements that go
 * through them. While there is no run, connections are handed out as they are.
 */
final class WatchedDataSources implements BeanPostProcessor {

	private final CurrentRun currentRun;

	private final Map<String, DataSource> unwatched = new ConcurrentHashMap<>();

	WatchedDataSources(CurrentRun currentRun) {
		this.currentRun = currentRun;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof DataSource dataSource)) {
			return bean;
		}
		this.unwatched.put(beanName, dataSource);
		ProxyFactory factory = new ProxyFactory(dataSource);
		// As its own class where that can be extended: some beans ask for that
		int modifiers = bean.getClass().getModifiers();
		factory.setProxyTargetClass(
				Modifier.isPublic(modifiers) && !Modifier.isFinal(modifiers) && !Proxy.isProxyClass(bean.getClass()));
		factory.addAdvice((MethodInterceptor) this::invoke);
		return factory.getProxy(bean.getClass().getClassLoader());
	}

	/**
	 * Return the data sources as they were before, by their bean names.
	 */
	Map<String, DataSource> unwatched() {
		return this.unwatched;
	}

	private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object result = invocation.proceed();
		StaleOwnerRun run = this.currentRun.get();
		return (run != null && result instanceof Connection connection) ? WatchedConnection.watch(connection, run)
				: result;
	}

}
