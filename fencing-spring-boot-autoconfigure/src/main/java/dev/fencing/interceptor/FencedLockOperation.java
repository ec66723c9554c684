package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

import dev.fencing.LockRequest;
import dev.fencing.WhenUnavailable;

/**
 * A parsed {@link dev.fencing.FencedLock @FencedLock}: all of it is valid, and only the
 * value of the key is left to the call.
 *
 * @param method the method that runs under the lock
 * @param lock what to lock and for how long, without the key
 * @param key gives the key; null for a lock without one
 * @param whenUnavailable what to do when another owner keeps the lease
 */
record FencedLockOperation(Method method, LockRequest lock, @Nullable KeyExpression key,
		WhenUnavailable whenUnavailable) {

	LockRequest request(@Nullable Object target, @Nullable Object[] arguments, BeanFactory beanFactory) {
		if (this.key == null) {
			return this.lock;
		}
		try {
			return this.lock.key(this.key.evaluate(target, this.method, arguments, beanFactory));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("%s does not run: the key expression '%s' gave no key. %s"
				.formatted(InvalidFencedLockException.describe(this.method), this.key, ex.getMessage()), ex);
		}
	}

	/**
	 * Return what the method returns when it was skipped.
	 */
	@Nullable Object skipped() {
		return (this.method.getReturnType() == Optional.class) ? Optional.empty() : null;
	}

}
