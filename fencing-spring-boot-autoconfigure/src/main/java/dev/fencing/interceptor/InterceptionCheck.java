package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.aopalliance.aop.Advice;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

/**
 * Checks that a call of a method passes the lock, and passes it at the right place among
 * the other advisors: inside of what hands over to another thread, outside of the
 * transaction.
 */
final class InterceptionCheck {

	private static final Log logger = LogFactory.getLog(InterceptionCheck.class);

	private final BeanFactory beanFactory;

	private final Set<Method> reported = ConcurrentHashMap.newKeySet();

	InterceptionCheck(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Check one method of a bean.
	 * @param notLocked what to say when no proxy locks the method
	 */
	void check(Method method, Object bean, NotLocked notLocked) {
		List<ProxyLayer> layers = ProxyLayer.of(bean);
		List<Applied> chain = chainOf(method, layers);
		int position = positionOfLock(chain);
		if (position < 0) {
			if (layers.isEmpty() || !layers.get(layers.size() - 1).targetsBean()) {
				throw notLocked.on(method);
			}
			return;
		}
		Applied lock = chain.get(position);
		checkReachable(method, layers);
		chain.subList(0, position).forEach((outer) -> checkOutside(method, outer, lock));
		chain.subList(position + 1, chain.size()).forEach((inner) -> checkInside(method, inner, lock));
	}

	private static List<Applied> chainOf(Method method, List<ProxyLayer> layers) {
		List<Applied> chain = new ArrayList<>();
		for (int i = 0; i < layers.size(); i++) {
			for (Advisor advisor : layers.get(i).advisorsOf(method)) {
				chain.add(new Applied(advisor, advisor.getAdvice(), i));
			}
		}
		return chain;
	}

	private static int positionOfLock(List<Applied> chain) {
		for (int i = 0; i < chain.size(); i++) {
			if (chain.get(i).advice() instanceof FencedLockInterceptor) {
				return i;
			}
		}
		return -1;
	}

	private static void checkReachable(Method method, List<ProxyLayer> layers) {
		for (ProxyLayer layer : layers) {
			if (layer.entryTo(method) == null) {
				throw AopUtils.isJdkDynamicProxy(layer.proxy()) ? notOnInterface(method, layer)
						: new InvalidFencedLockException(method,
								"the method is final, or not visible to the class that proxies the bean, so that calls"
										+ " pass the lock by",
								"Make the method public and not final");
			}
		}
	}

	private static InvalidFencedLockException notOnInterface(Method method, ProxyLayer layer) {
		String interfaces = Arrays.stream(layer.advised().getProxiedInterfaces())
			.map(Class::getName)
			.collect(Collectors.joining(", "));
		return new InvalidFencedLockException(method,
				"the bean is proxied by its interfaces (%s), and none of them has the method".formatted(interfaces),
				"Put the method on the interface, or have the class proxied: spring.aop.proxy-target-class=true,"
						+ " or proxyTargetClass = true in the @Enable annotation that proxies the bean");
	}

	private static void checkOutside(Method method, Applied outer, Applied lock) {
		if (outer.advice() instanceof TransactionAspectSupport) {
			String reason = "the lock would be inside the transaction, and released before the commit (order of the"
					+ " lock: %d, order of the transaction: %d)";
			String action = (outer.layer() == lock.layer())
					? "Set fencing.lock.order to less than the order of the transaction advisor, or the order in"
							+ " @EnableTransactionManagement to more than that of the lock"
					: "The bean is proxied more than once: have the outer proxy apply the lock, or the inner one the"
							+ " transaction";
			throw new InvalidFencedLockException(method, reason.formatted(lock.order(), outer.order()), action);
		}
	}

	private void checkInside(Method method, Applied inner, Applied lock) {
		if (inner.advice() instanceof AsyncExecutionInterceptor) {
			throw new InvalidFencedLockException(method,
					("the lock would be outside of @Async, and released as soon as the call is handed to the other"
							+ " thread (order of the lock: %d, order of the asynchronous advisor: %d)")
						.formatted(lock.order(), inner.order()),
					"Set fencing.lock.order to more than the order of the asynchronous advisor");
		}
		if (retries(inner) && this.reported.add(method)) {
			logger.warn("""
					%s is retried inside its lock by %s: all attempts run under one lease, which may be lost when the \
					next one begins. Give the retry an order less than %d, so that each attempt takes a new lease"""
				.formatted(InvalidFencedLockException.describe(method), inner.advice().getClass().getName(),
						lock.order()));
		}
	}

	// The libraries that retry have no type in common, but the word in the name
	private boolean retries(Applied applied) {
		return applied.advice().getClass().getSimpleName().contains("Retry") || isRetryAspect(applied.advice());
	}

	private boolean isRetryAspect(Advice advice) {
		if (!(advice instanceof AspectJPrecedenceInformation aspect)
				|| !this.beanFactory.containsBean(aspect.getAspectName())) {
			return false;
		}
		Class<?> type = this.beanFactory.getType(aspect.getAspectName(), false);
		return type != null && type.getSimpleName().contains("Retry");
	}

	private record Applied(Advisor advisor, Advice advice, int layer) {

		int order() {
			return (this.advisor instanceof Ordered ordered) ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
		}

	}

	/**
	 * Why no proxy may lock a method: known to who found the bean.
	 */
	enum NotLocked {

		AS_CREATED("no proxy around the bean applies the lock to it", """
				Let Spring's auto-proxy creator process the bean: it leaves out beans that are advisors, aspects or \
				marked as infrastructure, and advisors whose bean definition is not ROLE_INFRASTRUCTURE"""),

		AS_FOUND("the bean was created before Spring could proxy it, or was registered as a ready-made object", """
				Have Spring create the bean later: it, or a bean that needs it, is needed by a bean post-processor, \
				a bean factory post-processor or an advisor. Let that one ask for it with an ObjectProvider or @Lazy, \
				and make its @Bean method static""");

		private final String reason;

		private final String action;

		NotLocked(String reason, String action) {
			this.reason = reason;
			this.action = action;
		}

		InvalidFencedLockException on(Method method) {
			return new InvalidFencedLockException(method, this.reason, this.action);
		}

	}

}
