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
 * Keeps leases in memory where {@link AutoConfigureFencing} says so, and lets tests
 * replace locked beans.
 */
final class FencingContextCustomizerFactory implements ContextCustomizerFactory {

	FencingContextCustomizerFactory() {
	}

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureFencing annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureFencing.class);
		boolean inMemory = annotation != null && annotation.provider() == AutoConfigureFencing.Provider.MEMORY;
		TestBeansCustomizer testBeans = TestBeansCustomizer.of(testClass);
		return (inMemory || testBeans != null) ? new Customizer(inMemory, testBeans) : null;
	}

	/**
	 * Equal to another one that does the same, so that contexts are shared between tests.
	 *
	 * @param inMemory whether leases are kept in memory
	 * @param testBeans lets the test replace beans; null if it replaces none
	 */
	private record Customizer(boolean inMemory, @Nullable TestBeansCustomizer testBeans) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration mergedConfig) {
			if (this.inMemory) {
				TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "fencing.provider=memory");
			}
			if (this.testBeans != null) {
				this.testBeans.customizeContext(context, mergedConfig);
			}
		}

	}

}
