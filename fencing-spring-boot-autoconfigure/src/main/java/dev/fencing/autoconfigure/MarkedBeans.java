package dev.fencing.autoconfigure;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Selects one of several beans of a type: the one that is marked with an annotation of
 * ours, else the only or the primary one.
 */
final class MarkedBeans {

	private MarkedBeans() {
	}

	static <T> @Nullable T select(ListableBeanFactory beanFactory, Class<T> type, String marker,
			ObjectProvider<T> marked, ObjectProvider<T> all) {
		try {
			T bean = marked.getIfAvailable();
			return (bean != null) ? bean : all.getIfAvailable();
		}
		catch (NoUniqueBeanDefinitionException ex) {
			throw new FencingConfigurationException(
					"There are several %s beans, %s, and which of them is meant cannot be told."
						.formatted(type.getSimpleName(), Arrays.toString(beanFactory.getBeanNamesForType(type))),
					"Mark one of them with @%s, or make it @Primary.".formatted(marker));
		}
	}

}
