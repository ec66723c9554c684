package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.util.Assert;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencedLock;
import dev.fencing.FencingListener;
import dev.fencing.interceptor.InterceptionCheck.NotLocked;

/**
 * Checks every bean that has a method with {@link FencedLock @FencedLock}: the annotation
 * is valid, a proxy applies the lock, calls from other beans pass it, and it stands
 * outside of the transaction. A bean that fails is not created. One that was created
 * before this post-processor, or past it, is found when all singletons are there, and
 * stops the start. Nothing lazy is created for that.
 *
 * <p>
 * It also tells the {@linkplain FencingListener#lockKnown listeners} all lock names that
 * it comes across.
 *
 * <p>
 * Its bean method should be static. Its order is left unset on purpose: it has to come
 * after the post-processors that make proxies. It is marked as infrastructure so that it
 * is kept out of the inner bean factories of target source creators, whose beans are
 * proxied outside of them.
 *
 * @since 0.1.0
 */
public class FencedLockBeanVerifier
		implements SmartInstantiationAwareBeanPostProcessor, SmartInitializingSingleton, AopInfrastructureBean {

	private final FencedLockOperationSource operations;

	private final ObjectProvider<FencingListener> listeners;

	private final ConfigurableListableBeanFactory beanFactory;

	private final InterceptionCheck interceptionCheck;

	private final KnownLocks knownLocks = new KnownLocks();

	private @Nullable String whyNoKeys;

	private String untilKeys = "";

	private final Map<String, Object> earlyReferences = new ConcurrentHashMap<>();

	/**
	 * Create a verifier.
	 * @param operations finds the annotation; never null
	 * @param listeners are told of the lock names, and not asked for before all
	 * singletons are there; never null
	 * @param beanFactory has the beans to check; never null
	 */
	public FencedLockBeanVerifier(FencedLockOperationSource operations, ObjectProvider<FencingListener> listeners,
			ConfigurableListableBeanFactory beanFactory) {
		Assert.notNull(operations, "'operations' must not be null");
		Assert.notNull(listeners, "'listeners' must not be null");
		Assert.notNull(beanFactory, "'beanFactory' must not be null");
		this.operations = operations;
		this.listeners = listeners;
		this.beanFactory = beanFactory;
		this.interceptionCheck = new InterceptionCheck(beanFactory);
	}

	/**
	 * Refuse methods that lock several resources as one.
	 * @param reason why they cannot, as half a sentence; never null
	 * @param action what would allow it, as half a sentence; never null
	 */
	public void refuseKeys(String reason, String action) {
		this.whyNoKeys = reason;
		this.untilKeys = action;
	}

	/**
	 * Checks what can be told without a proxy, before any proxy is made: its maker would
	 * fail first, and with less to say.
	 */
	@Override
	public boolean postProcessAfterInstantiation(Object bean, String beanName) {
		// Left over if the bean was in the making before, and failed
		this.earlyReferences.remove(beanName);
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		forEachFencedMethod(bean, beanName, (method) -> {
			requireOperation(method, type);
			if (Modifier.isFinal(type.getModifiers()) && ProxyLayer.interfaceMethodFor(method, type, type) == null) {
				throw new InvalidFencedLockException(method, "its class is final, so that no proxy can extend it",
						"Make the class not final, or put the method on an interface");
			}
		});
		return true;
	}

	@Override
	public Object getEarlyBeanReference(Object bean, String beanName) {
		if (AopUtils.isAopProxy(bean)) {
			this.earlyReferences.put(beanName, bean);
		}
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		// In a circular reference the proxy was handed out before, and the bare bean
		// comes here
		Object early = this.earlyReferences.remove(beanName);
		verify((early != null) ? early : bean, beanName, NotLocked.AS_CREATED);
		return bean;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String beanName : this.beanFactory.getSingletonNames()) {
			Object singleton = this.beanFactory.getSingleton(beanName);
			if (singleton == null) {
				continue;
			}
			verifyFound(singleton, beanName);
			if (singleton instanceof FactoryBean<?> factoryBean && isFencedProductOf(factoryBean, beanName)) {
				verifyFound(this.beanFactory.getBean(beanName), beanName);
			}
		}
		this.knownLocks.tell(new CompositeFencingListener(this.listeners.orderedStream().toList()));
	}

	private boolean isFencedProductOf(FactoryBean<?> factoryBean, String beanName) {
		Class<?> type = factoryBean.getObjectType();
		return type != null && factoryBean.isSingleton() && !this.operations.getFencedMethods(type).isEmpty()
				&& !(this.beanFactory.containsBeanDefinition(beanName)
						&& this.beanFactory.getBeanDefinition(beanName).isLazyInit());
	}

	private void verifyFound(Object bean, String beanName) {
		if (!fencedMethods(bean).isEmpty() && !isTestDouble(bean, beanName)) {
			verify(bean, beanName, NotLocked.AS_FOUND);
		}
	}

	private boolean isTestDouble(Object bean, String beanName) {
		return MockedBeans.isMock(bean) || this.beanFactory.getBeanProvider(TestDoubles.class)
			.stream()
			.anyMatch((doubles) -> doubles.contain(beanName, bean));
	}

	private void verify(Object bean, String beanName, NotLocked notLocked) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		forEachFencedMethod(bean, beanName, (method) -> {
			FencedLockOperation operation = requireOperation(method, type);
			this.interceptionCheck.check(method, bean, notLocked);
			this.knownLocks.add(operation.lock().name());
		});
	}

	private FencedLockOperation requireOperation(Method method, Class<?> type) {
		FencedLockOperation operation = this.operations.requireOperation(method, type);
		if (operation.several() && this.whyNoKeys != null) {
			throw new InvalidFencedLockException(method,
					"its 'keys' are several resources under one number, but " + this.whyNoKeys,
					"Lock a single resource that stands for all of them ('key'), or " + this.untilKeys);
		}
		return operation;
	}

	private void forEachFencedMethod(Object bean, String beanName, Consumer<Method> check) {
		try {
			fencedMethods(bean).forEach(check);
		}
		catch (InvalidFencedLockException ex) {
			throw ex.ofBean(beanName);
		}
	}

	// The proxy of a repository has methods that its target does not know
	private Set<Method> fencedMethods(Object bean) {
		Set<Method> methods = this.operations.getFencedMethods(AopProxyUtils.ultimateTargetClass(bean));
		if (!AopUtils.isJdkDynamicProxy(bean)) {
			return methods;
		}
		Set<Method> all = new LinkedHashSet<>(methods);
		all.addAll(this.operations.getFencedMethods(bean.getClass()));
		return all;
	}

}
