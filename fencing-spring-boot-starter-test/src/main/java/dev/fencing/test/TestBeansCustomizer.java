package dev.fencing.test;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.bean.override.BeanOverrideHandler;
import org.springframework.test.context.bean.override.BeanOverrideStrategy;

import dev.fencing.interceptor.TestDoubles;

/**
 * Has objects that a test puts in the place of beans, as {@code @TestBean} does, pass the
 * check that finds unlocked beans.
 *
 * @param replaced what is replaced
 */
record TestBeansCustomizer(Set<Replaced> replaced) implements ContextCustomizer {

	static @Nullable TestBeansCustomizer of(Class<?> testClass) {
		// Of the classes that a nested one is in as well
		Set<Replaced> replaced = Stream
			.<Class<?>>iterate(testClass, (type) -> type != null, (type) -> type.getEnclosingClass())
			.flatMap((type) -> BeanOverrideHandler.forTestClass(type).stream())
			.filter((handler) -> handler.getStrategy() != BeanOverrideStrategy.WRAP)
			.map((handler) -> new Replaced(handler.getBeanType().toClass(), handler.getBeanName()))
			.collect(Collectors.toSet());
		return replaced.isEmpty() ? null : new TestBeansCustomizer(replaced);
	}

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
		TestDoubles doubles = (beanName, object) -> this.replaced.stream()
			.anyMatch((bean) -> bean.matches(beanName, object));
		context.getBeanFactory().registerSingleton("fencingTestDoubles", doubles);
	}

	/**
	 * A bean that a test replaces.
	 *
	 * @param type its type
	 * @param name its name; null for the bean of that type
	 */
	record Replaced(Class<?> type, @Nullable String name) {

		boolean matches(String beanName, Object object) {
			return this.type.isInstance(object) && (this.name == null || this.name.equals(beanName));
		}

	}

}
