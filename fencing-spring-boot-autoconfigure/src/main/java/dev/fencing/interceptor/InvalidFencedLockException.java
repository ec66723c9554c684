package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedLock;

/**
 * A method carries {@link FencedLock @FencedLock} in a way that would lock nothing, or
 * not what its author means. It stops the start of the application, or the creation of a
 * lazy bean.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public class InvalidFencedLockException extends IllegalStateException {

	private final transient Method method;

	private final @Nullable String beanName;

	private final String reason;

	private final String action;

	InvalidFencedLockException(Method method, String reason, String action) {
		this(method, null, reason, action, null);
	}

	InvalidFencedLockException(Method method, String reason, String action, @Nullable Throwable cause) {
		this(method, null, reason, action, cause);
	}

	private InvalidFencedLockException(Method method, @Nullable String beanName, String reason, String action,
			@Nullable Throwable cause) {
		super("@FencedLock on %s%s cannot work: %s. %s.".formatted(describe(method),
				(beanName != null) ? " of bean '" + beanName + "'" : "", reason, action), cause);
		this.method = method;
		this.beanName = beanName;
		this.reason = reason;
		this.action = action;
	}

	InvalidFencedLockException ofBean(String beanName) {
		return new InvalidFencedLockException(this.method, beanName, this.reason, this.action, getCause());
	}

	/**
	 * Return the method that carries the annotation.
	 * @return the method; never null
	 */
	public Method getMethod() {
		return this.method;
	}

	/**
	 * Return the name of the bean that has the method.
	 * @return the bean name, or null when the fault was found outside any bean
	 */
	public @Nullable String getBeanName() {
		return this.beanName;
	}

	/**
	 * Return what is wrong, as half a sentence.
	 * @return the reason; never null
	 */
	public String getReason() {
		return this.reason;
	}

	/**
	 * Return what to do about it, as a sentence without its full stop.
	 * @return the action; never null
	 */
	public String getAction() {
		return this.action;
	}

	static String describe(Method method) {
		return Arrays.stream(method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(
					Collectors.joining(", ", method.getDeclaringClass().getName() + "." + method.getName() + "(", ")"));
	}

}
