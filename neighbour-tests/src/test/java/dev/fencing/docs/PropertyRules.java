package dev.fencing.docs;

import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import dev.fencing.docs.ConfigurationMetadata.Property;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties exist, are not deprecated, and their values are taken by the classes that
 * they are bound to.
 */
final class PropertyRules {

	private final ConfigurationMetadata metadata = new ConfigurationMetadata();

	/**
	 * Check properties.
	 * @param place where they stand
	 * @param properties the values by key
	 */
	void check(String place, Map<String, ?> properties) throws Exception {
		MapConfigurationPropertySource source = new MapConfigurationPropertySource(properties);
		Map<String, Class<?>> targets = new TreeMap<>();
		for (Map.Entry<String, ?> entry : properties.entrySet()) {
			String key = entry.getKey().replaceAll("\\[\\d+]", "");
			assertThat(ConfigurationPropertyName.isValid(key)).as("%s: '%s' is written in canonical form", place, key)
				.isTrue();
			Property property = this.metadata.find(key).orElse(null);
			assertThat(property).as("%s: the property '%s' that there is", place, key).isNotNull();
			assertThat(property.deprecated()).as("%s: '%s' is deprecated", place, key).isFalse();
			Class<?> target = target(property.sourceType());
			if (target != null) {
				targets.put(prefix(target), target);
			}
			else {
				assertConverts(place, property, entry.getValue());
			}
		}
		for (Map.Entry<String, Class<?>> target : targets.entrySet()) {
			bind(place, source, target.getKey(), target.getValue());
		}
	}

	/**
	 * Return the class with the annotation, which a nested one belongs to.
	 */
	private static @Nullable Class<?> target(@Nullable String sourceType) throws ClassNotFoundException {
		if (sourceType == null) {
			return null;
		}
		Class<?> type = ClassUtils.forName(sourceType, null);
		while (type != null && !AnnotatedElementUtils.hasAnnotation(type, ConfigurationProperties.class)) {
			type = type.getEnclosingClass();
		}
		return type;
	}

	private static String prefix(Class<?> target) {
		return AnnotatedElementUtils.getMergedAnnotation(target, ConfigurationProperties.class).prefix();
	}

	private static void bind(String place, MapConfigurationPropertySource source, String prefix, Class<?> target) {
		try {
			new Binder(source).bind(prefix, Bindable.of(target), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		}
		catch (RuntimeException ex) {
			throw new AssertionError("%s: '%s' cannot be bound: %s".formatted(place, prefix, rootMessage(ex)), ex);
		}
	}

	/**
	 * Those of endpoints are read one by one.
	 */
	private static void assertConverts(String place, Property property, Object value) throws ClassNotFoundException {
		Class<?> type = property.type().contains("<") ? Object.class : ClassUtils.forName(property.type(), null);
		try {
			ApplicationConversionService.getSharedInstance().convert(value.toString(), type);
		}
		catch (RuntimeException ex) {
			throw new AssertionError("%s: '%s' is no %s: %s".formatted(place, property.name(), type, rootMessage(ex)),
					ex);
		}
	}

	private static @Nullable String rootMessage(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause.getMessage();
	}

}
