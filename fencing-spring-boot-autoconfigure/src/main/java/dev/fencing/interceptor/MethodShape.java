package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

import dev.fencing.WhenUnavailable;

/**
 * Which methods can run under a lock, whatever their bean is proxied with.
 */
final class MethodShape {

	/**
	 * What Spring MVC and WebFlux call, read or wait for after the method has returned,
	 * and what Kotlin does. Told by name: neither is on our class path.
	 */
	private static final Set<String> LATER = Set.of("kotlin.sequences.Sequence", "kotlinx.coroutines.Job",
			"kotlinx.coroutines.flow.Flow", "org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private static final @Nullable Class<?> PUBLISHER = findClass("org.reactivestreams.Publisher");

	private MethodShape() {
	}

	static void check(Method method, WhenUnavailable whenUnavailable) {
		if (Modifier.isPrivate(method.getModifiers())) {
			throw new InvalidFencedLockException(method, "the method is private, so no proxy can intercept it",
					"Make it public, and call it from another bean");
		}
		if (Modifier.isStatic(method.getModifiers())) {
			throw new InvalidFencedLockException(method, "the method is static, so no proxy can intercept it",
					"Make it an instance method of a bean, or use FencedLockTemplate");
		}
		if (returnsBeforeItEnds(method)) {
			throw new InvalidFencedLockException(method,
					"the method returns before its work is done (%s), and the lease would be released then"
						.formatted(isSuspending(method) ? "a suspend function" : method.getReturnType().getName()),
					"Let the method return its result itself. To run it on another thread, put @Async on it and"
							+ " return void, or call it from a method that returns the future");
		}
		if (whenUnavailable == WhenUnavailable.SKIP && !canBeSkipped(method.getReturnType())) {
			throw new InvalidFencedLockException(method,
					"it is to be skipped when the lease is unavailable, but a result of type %s cannot say that it was"
						.formatted(method.getReturnType().getName()),
					"Return void or Optional, or use WhenUnavailable.THROW");
		}
	}

	private static boolean canBeSkipped(Class<?> type) {
		return type == void.class || type == Optional.class;
	}

	private static boolean returnsBeforeItEnds(Method method) {
		Class<?> type = method.getReturnType();
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type) || Callable.class.isAssignableFrom(type)
				|| BaseStream.class.isAssignableFrom(type) || isLater(type)
				|| (PUBLISHER != null && PUBLISHER.isAssignableFrom(type))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null || isSuspending(method);
	}

	private static boolean isLater(Class<?> type) {
		return LATER.contains(type.getName()) || (type.getSuperclass() != null && isLater(type.getSuperclass()))
				|| Arrays.stream(type.getInterfaces()).anyMatch(MethodShape::isLater);
	}

	// Told by the parameter that the compiler adds: its type needs not be on our class
	// path
	private static boolean isSuspending(Method method) {
		Class<?>[] types = method.getParameterTypes();
		return types.length > 0 && types[types.length - 1].getName().equals("kotlin.coroutines.Continuation");
	}

	private static @Nullable Class<?> findClass(String name) {
		ClassLoader classLoader = MethodShape.class.getClassLoader();
		return ClassUtils.isPresent(name, classLoader) ? ClassUtils.resolveClassName(name, classLoader) : null;
	}

}
