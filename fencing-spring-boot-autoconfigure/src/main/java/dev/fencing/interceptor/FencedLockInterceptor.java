package dev.fencing.interceptor;

import java.util.Optional;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.Assert;
import org.springframework.util.function.SingletonSupplier;

import dev.fencing.FencedCallback;
import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.WhenUnavailable;

/**
 * Runs a method that carries {@link FencedLock @FencedLock} through the
 * {@link FencedLockTemplate}. A method without the annotation is left alone.
 *
 * <p>
 * The lease covers the method on the thread that runs it, from the call to the return. So
 * {@code @Async} on the same method has the method locked where it runs, while a method
 * that returns a future or a publisher is refused: its lease would end before its work.
 *
 * <p>
 * What the method throws reaches the caller untouched.
 *
 * @since 0.1.0
 */
public class FencedLockInterceptor implements MethodInterceptor {

	private final FencedLockOperationSource operations;

	private final SingletonSupplier<FencedLockTemplate> template;

	private final BeanFactory beanFactory;

	/**
	 * Create an interceptor.
	 * @param operations finds the annotation; never null
	 * @param template gives the template, which is not asked for before the first call:
	 * advisors are made before all other beans, and must not bring connections along;
	 * never null
	 * @param beanFactory knows the beans that a key expression refers to; never null
	 */
	public FencedLockInterceptor(FencedLockOperationSource operations, ObjectProvider<FencedLockTemplate> template,
			BeanFactory beanFactory) {
		Assert.notNull(operations, "'operations' must not be null");
		Assert.notNull(template, "'template' must not be null");
		Assert.notNull(beanFactory, "'beanFactory' must not be null");
		this.operations = operations;
		this.template = SingletonSupplier.of(template::getObject);
		this.beanFactory = beanFactory;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		FencedLockOperation operation = this.operations.getOperation(invocation.getMethod(), targetClass);
		if (operation == null) {
			return invocation.proceed();
		}
		LockRequest request = operation.request(target, invocation.getArguments(), this.beanFactory);
		FencedLockTemplate template = this.template.obtain();
		if (operation.whenUnavailable() == WhenUnavailable.THROW) {
			return execute(template, request, invocation);
		}
		// The inner Optional carries a null, which is no result to the template
		FencedCallback<Optional<Object>, Throwable> body = (context) -> Optional.ofNullable(invocation.proceed());
		Optional<Optional<Object>> result = template.tryExecute(request, body);
		return result.isPresent() ? result.get().orElse(null) : operation.skipped();
	}

	// NullAway does not know that the type of the result says that it may be null
	@SuppressWarnings("NullAway")
	private static @Nullable Object execute(FencedLockTemplate template, LockRequest request,
			MethodInvocation invocation) throws Throwable {
		FencedCallback<@Nullable Object, Throwable> body = (context) -> invocation.proceed();
		return template.execute(request, body);
	}

}
