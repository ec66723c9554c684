package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.PropertyResolver;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

import dev.fencing.FencedLock;
import dev.fencing.LockRequest;
import dev.fencing.WhenUnavailable;

/**
 * Makes an operation of an annotation, or says what is wrong with it.
 */
final class FencedLockParser {

	private final PropertyResolver properties;

	private final SpelExpressionParser expressionParser;

	FencedLockParser(PropertyResolver properties, SpelExpressionParser expressionParser) {
		this.properties = properties;
		this.expressionParser = expressionParser;
	}

	/**
	 * Parse an annotation.
	 * @param method the method that is to run under the lock: the annotation may be
	 * written on another one that it overrides
	 * @throws InvalidFencedLockException if the annotation, or the method under it, is
	 * nothing that can work
	 */
	FencedLockOperation parse(MergedAnnotation<FencedLock> annotation, Method method) {
		WhenUnavailable whenUnavailable = annotation.getEnum("whenUnavailable", WhenUnavailable.class);
		MethodShape.check(method, whenUnavailable);
		KeyExpression key = key(annotation, method, "key");
		KeyExpression keys = key(annotation, method, "keys");
		if (key != null && keys != null) {
			throw new InvalidFencedLockException(method, "it has a key and keys",
					"Give the one for a single resource, the other for several that are locked as one");
		}
		return new FencedLockOperation(method, lock(annotation, method), (keys != null) ? keys : key, keys != null,
				whenUnavailable);
	}

	private LockRequest lock(MergedAnnotation<FencedLock> annotation, Method method) {
		try {
			return LockRequest.of(text(annotation, "name"))
				.leaseTime(duration(annotation, "leaseTime"))
				.waitTime(duration(annotation, "waitTime"))
				.minHold(duration(annotation, "minHold"))
				.maxHold(duration(annotation, "maxHold"));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidFencedLockException(method, String.valueOf(ex.getMessage()), "Correct the annotation", ex);
		}
	}

	private @Nullable KeyExpression key(MergedAnnotation<FencedLock> annotation, Method method, String attribute) {
		String key = annotation.getString(attribute);
		if (key.isEmpty()) {
			return null;
		}
		if (!StringUtils.hasText(key)) {
			throw new InvalidFencedLockException(method, "its key expression is blank",
					"Write an expression, or leave the key out to lock the name alone");
		}
		Method annotated = (annotation.getSource() instanceof Method source) ? source : method;
		return KeyExpression.parse(key, annotated, this.expressionParser);
	}

	private @Nullable Duration duration(MergedAnnotation<FencedLock> annotation, String attribute) {
		String text = text(annotation, attribute);
		if (text.isEmpty()) {
			return null;
		}
		if (Character.isDigit(text.charAt(text.length() - 1))) {
			throw new IllegalArgumentException(
					"Its %s '%s' has no unit: write it like '10s' or '500ms'".formatted(attribute, text));
		}
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					"Its %s '%s' is no duration: write it like '10s', '500ms' or 'PT10S'".formatted(attribute, text),
					ex);
		}
	}

	private String text(MergedAnnotation<FencedLock> annotation, String attribute) {
		return this.properties.resolveRequiredPlaceholders(annotation.getString(attribute));
	}

}
