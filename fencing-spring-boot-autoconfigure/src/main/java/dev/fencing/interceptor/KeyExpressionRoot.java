package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a key expression sees as {@code #root}.
 */
final class KeyExpressionRoot {

	static final Set<String> PROPERTIES = Set.of("target", "method", "args", "class");

	private final @Nullable Object target;

	private final Method method;

	private final @Nullable Object[] args;

	KeyExpressionRoot(@Nullable Object target, Method method, @Nullable Object[] args) {
		this.target = target;
		this.method = method;
		this.args = args;
	}

	public @Nullable Object getTarget() {
		return this.target;
	}

	public Method getMethod() {
		return this.method;
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

}
