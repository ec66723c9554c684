package dev.fencing.interceptor;

import org.aopalliance.aop.Advice;

import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.util.Assert;

import dev.fencing.FencedLock;

/**
 * Applies a {@link FencedLockInterceptor} to every method that carries
 * {@link FencedLock @FencedLock}.
 *
 * <p>
 * Its bean definition must have the role
 * {@link org.springframework.beans.factory.config.BeanDefinition#ROLE_INFRASTRUCTURE}:
 * without AspectJ no other advisor is looked at.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class FencedLockAdvisor extends AbstractPointcutAdvisor {

	/**
	 * The default order: outside the transaction advisor with its default order, inside
	 * whatever comes before.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	private final FencedLockPointcut pointcut;

	private final FencedLockInterceptor interceptor;

	/**
	 * Create an advisor with the default order.
	 * @param operations finds the annotation; never null
	 * @param interceptor locks; never null
	 */
	public FencedLockAdvisor(FencedLockOperationSource operations, FencedLockInterceptor interceptor) {
		Assert.notNull(operations, "'operations' must not be null");
		Assert.notNull(interceptor, "'interceptor' must not be null");
		this.pointcut = new FencedLockPointcut(operations);
		this.interceptor = interceptor;
		setOrder(DEFAULT_ORDER);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.interceptor;
	}

}
