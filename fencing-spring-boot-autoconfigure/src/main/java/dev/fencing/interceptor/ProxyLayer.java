package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;
import org.springframework.util.ClassUtils;

/**
 * One of the proxies around a bean: there may be several, each the target of the next.
 *
 * @param proxy the proxy object
 * @param advised what it is made of
 * @param targetClass the class that its advisors are asked about
 */
record ProxyLayer(Object proxy, Advised advised, Class<?> targetClass) {

	/**
	 * Return the proxies around a bean, the outermost first; none for a bare object.
	 */
	static List<ProxyLayer> of(Object bean) {
		List<ProxyLayer> layers = new ArrayList<>();
		Object current = bean;
		while (current instanceof Advised advised) {
			Class<?> targetClass = advised.getTargetClass();
			layers.add(new ProxyLayer(current, advised,
					(targetClass != null) ? targetClass : AopProxyUtils.ultimateTargetClass(current)));
			current = AopProxyUtils.getSingletonTarget(current);
		}
		return layers;
	}

	/**
	 * Return whether the target is a bean of its own (a scoped one, for example), which
	 * is proxied and checked by itself.
	 */
	boolean targetsBean() {
		return this.advised.getTargetSource() instanceof AbstractBeanFactoryBasedTargetSource;
	}

	/**
	 * Return the method by which callers reach a method through this proxy.
	 * @return the method, or null if a call does not pass the proxy's advisors
	 */
	@Nullable Method entryTo(Method method) {
		if (AopUtils.isJdkDynamicProxy(this.proxy)) {
			return interfaceMethodFor(method, this.proxy.getClass(), this.targetClass);
		}
		return isOverridden(method) ? method : null;
	}

	/**
	 * Return the method of one of a type's interfaces that stands for a method of the
	 * target class.
	 */
	static @Nullable Method interfaceMethodFor(Method method, Class<?> type, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		for (Class<?> implemented : ClassUtils.getAllInterfacesForClass(type)) {
			for (Method candidate : implemented.getMethods()) {
				if (candidate.getName().equals(method.getName())
						&& AopUtils.getMostSpecificMethod(candidate, targetClass).equals(specific)) {
					return candidate;
				}
			}
		}
		return null;
	}

	private boolean isOverridden(Method method) {
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
			return false;
		}
		if (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers)) {
			return true;
		}
		// Package visibility ends at the package, and at the class loader
		Class<?> declaring = method.getDeclaringClass();
		Class<?> subclass = this.proxy.getClass();
		return subclass.getPackageName().equals(declaring.getPackageName())
				&& subclass.getClassLoader() == declaring.getClassLoader();
	}

	/**
	 * Return the advisors that apply to a method, the outermost first.
	 */
	List<Advisor> advisorsOf(Method method) {
		Method entry = entryTo(method);
		Method called = (entry != null) ? entry : method;
		return Arrays.stream(this.advised.getAdvisors()).filter((advisor) -> applies(advisor, called)).toList();
	}

	private boolean applies(Advisor advisor, Method method) {
		return !(advisor instanceof PointcutAdvisor pointcutAdvisor) || ((this.advised.isPreFiltered()
				|| pointcutAdvisor.getPointcut().getClassFilter().matches(this.targetClass))
				&& pointcutAdvisor.getPointcut().getMethodMatcher().matches(method, this.targetClass));
	}

}
