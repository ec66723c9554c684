package dev.fencing.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * Keeps leases in memory where {@link AutoConfigureFencing} says so.
 */
final class FencingContextCustomizerFactory implements ContextCustomizerFactory {

	FencingContextCustomizerFactory() {
	}

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureFencing annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureFencing.class);
		return (annotation != null && annotation.provider() == AutoConfigureFencing.Provider.MEMORY)
				? new MemoryProvider() : null;
	}

	/**
	 * Equal to any other, so that contexts are shared between tests.
	 */
	private record MemoryProvider() implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "fencing.provider=memory");
		}

	}

}
