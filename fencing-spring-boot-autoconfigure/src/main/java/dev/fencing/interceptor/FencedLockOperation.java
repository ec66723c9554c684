package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;

import dev.fencing.LockRequest;
import dev.fencing.WhenUnavailable;

/**
 * A parsed {@link dev.fencing.FencedLock @FencedLock}: all of it is valid, and only the
 * value of the key is left to the call.
 *
 * @param method the method that runs under the lock
 * @param lock what to lock and for how long, without the key
 * @param key gives the key, or several; null for a lock without one
 * @param several whether the expression gives a collection or array of keys
 * @param whenUnavailable what to do when another owner keeps the lease
 */
record FencedLockOperation(Method method, LockRequest lock, @Nullable KeyExpression key, boolean several,
		WhenUnavailable whenUnavailable) {

	LockRequest request(@Nullable Object target, @Nullable Object[] arguments, BeanFactory beanFactory) {
		if (this.key == null) {
			return this.lock;
		}
		try {
			Object value = this.key.evaluate(target, this.method, arguments, beanFactory);
			return this.several ? this.lock.keys(collection(value)) : this.lock.key(value);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("%s does not run: the key expression '%s' gave no key. %s"
				.formatted(InvalidFencedLockException.describe(this.method), this.key, ex.getMessage()), ex);
		}
	}

	private static @Nullable Collection<? extends @Nullable Object> collection(@Nullable Object value) {
		if (value == null || value instanceof Collection) {
			return (Collection<?>) value;
		}
		Assert.isTrue(value.getClass().isArray(),
				() -> "It gave a %s, which is neither a collection nor an array".formatted(value.getClass().getName()));
		return Arrays.asList(ObjectUtils.toObjectArray(value));
	}

	/**
	 * Return what the method returns when it was skipped.
	 */
	@Nullable Object skipped() {
		return (this.method.getReturnType() == Optional.class) ? Optional.empty() : null;
	}

}
