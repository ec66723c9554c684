package dev.fencing.interceptor;

import java.lang.reflect.Method;

import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods that carry the annotation. Whether it is a valid one is left to
 * {@link FencedLockBeanVerifier}, which knows the name of the bean.
 */
final class FencedLockPointcut extends StaticMethodMatcherPointcut {

	private final FencedLockOperationSource operations;

	FencedLockPointcut(FencedLockOperationSource operations) {
		this.operations = operations;
		setClassFilter((type) -> !operations.getFencedMethods(type).isEmpty());
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.operations.isFenced(method, targetClass);
	}

}
