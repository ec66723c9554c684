package dev.fencing.interceptor;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells the mocks that a test puts in the place of beans: they run nothing, so there is
 * nothing to lock. (A spy runs the real method, and is no such thing.)
 */
final class MockedBeans {

	private static final String MOCKITO = "org.mockito.Mockito";

	private MockedBeans() {
	}

	static boolean isMock(Object bean) {
		ClassLoader classLoader = bean.getClass().getClassLoader();
		if (!ClassUtils.isPresent(MOCKITO, classLoader)) {
			return false;
		}
		Class<?> mockito = ClassUtils.resolveClassName(MOCKITO, classLoader);
		Object details = invoke(mockito, "mockingDetails", null, bean);
		Assert.state(details != null, "No mocking details");
		return is("isMock", details) && !is("isSpy", details);
	}

	private static boolean is(String question, Object details) {
		Class<?> type = ClassUtils.resolveClassName("org.mockito.MockingDetails", details.getClass().getClassLoader());
		return Boolean.TRUE.equals(invoke(type, question, details));
	}

	private static @Nullable Object invoke(Class<?> type, String method, @Nullable Object target, Object... args) {
		Class<?>[] parameterTypes = (args.length > 0) ? new Class<?>[] { Object.class } : new Class<?>[0];
		return ReflectionUtils.invokeMethod(ClassUtils.getMethod(type, method, parameterTypes), target, args);
	}

}
