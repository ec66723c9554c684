package dev.fencing.test;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

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
		int modifiers = bean.getClass().getModifiers();
		// As its own class where that can be: some beans ask for that
		boolean asClass = Modifier.isPublic(modifiers) && !Proxy.isProxyClass(bean.getClass());
		if (asClass && Modifier.isFinal(modifiers)) {
			return bean;
		}
		ProxyFactory factory = new ProxyFactory(dataSource);
		factory.setProxyTargetClass(asClass);
		factory.addAdvice((MethodInterceptor) this::invoke);
		return factory.getProxy(bean.getClass().getClassLoader());
	}

	private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object result = invocation.proceed();
		StaleOwnerRun run = this.currentRun.get();
		return (run != null && result instanceof Connection connection) ? WatchedConnection.watch(connection, run)
				: result;
	}

	/**
	 * Return what the data sources lead to, each once, without what watches them. Where
	 * one routes to others, these are in its place.
	 */
	Map<String, DataSource> databases() {
		IdentityHashMap<DataSource, String> names = new IdentityHashMap<>();
		new TreeMap<>(this.unwatched).forEach((name, dataSource) -> collect(name, dataSource, names));
		Map<String, DataSource> databases = new TreeMap<>();
		names.forEach((dataSource, name) -> databases.put(name, dataSource));
		return databases;
	}

	private static void collect(String name, DataSource dataSource, IdentityHashMap<DataSource, String> names) {
		Object target = AopProxyUtils.getSingletonTarget(dataSource);
		if (target instanceof DataSource watched) {
			collect(name, watched, names);
		}
		else if (dataSource instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			collect(name, delegating.getTargetDataSource(), names);
		}
		else if (dataSource instanceof AbstractRoutingDataSource routing) {
			routing.getResolvedDataSources().forEach((key, routed) -> collect(name + "[" + key + "]", routed, names));
		}
		else {
			names.putIfAbsent(dataSource, name);
		}
	}

}
