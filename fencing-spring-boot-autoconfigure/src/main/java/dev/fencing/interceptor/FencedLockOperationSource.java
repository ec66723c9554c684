package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.PropertyResolver;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.Assert;

import dev.fencing.FencedLock;

/**
 * Finds {@link FencedLock @FencedLock}: on the method of the target class, on a method
 * that it overrides or implements, or behind an annotation composed with it. What was
 * found, or not, is kept for each method and target class.
 *
 * @since 0.1.0
 */
public class FencedLockOperationSource {

	private final FencedLockParser parser;

	private final Map<Class<?>, Set<Method>> fencedMethods = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, Optional<FoundAnnotation>> annotations = new ConcurrentHashMap<>();

	private final Map<MethodClassKey, FencedLockOperation> operations = new ConcurrentHashMap<>();

	/**
	 * Create a source.
	 * @param properties what resolves the placeholders in names and durations, usually
	 * the environment; never null
	 */
	public FencedLockOperationSource(PropertyResolver properties) {
		this(properties, new SpelExpressionParser());
	}

	FencedLockOperationSource(PropertyResolver properties, SpelExpressionParser expressionParser) {
		Assert.notNull(properties, "'properties' must not be null");
		this.parser = new FencedLockParser(properties, expressionParser);
	}

	/**
	 * Return all methods of a class, wherever it has them from, that carry the
	 * annotation: also those that no proxy can intercept.
	 */
	Set<Method> getFencedMethods(Class<?> targetClass) {
		Set<Method> known = this.fencedMethods.get(targetClass);
		return (known != null) ? known : this.fencedMethods.computeIfAbsent(targetClass, this::findFencedMethods);
	}

	private Set<Method> findFencedMethods(Class<?> targetClass) {
		// Most beans are Spring's own, and none of those can have the annotation
		if (targetClass.getName().startsWith("org.springframework.")
				|| !AnnotationUtils.isCandidateClass(targetClass, FencedLock.class)) {
			return Collections.emptySet();
		}
		Set<Method> methods = MethodIntrospector.selectMethods(targetClass,
				(Method method) -> findAnnotation(method, targetClass).isPresent());
		return methods.isEmpty() ? Collections.emptySet() : methods;
	}

	/**
	 * Return whether a method carries the annotation, be it valid or not.
	 */
	boolean isFenced(Method method, Class<?> targetClass) {
		return annotationOf(method, targetClass).isPresent();
	}

	/**
	 * Return how to lock a method.
	 * @return the operation, or null for a method without the annotation
	 * @throws InvalidFencedLockException if the annotation, or the method under it, is
	 * nothing that can work
	 */
	@Nullable FencedLockOperation getOperation(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		FencedLockOperation known = this.operations.get(key);
		if (known != null) {
			return known;
		}
		FoundAnnotation found = annotationOf(method, targetClass).orElse(null);
		if (found == null) {
			return null;
		}
		return this.operations.computeIfAbsent(key, (k) -> this.parser.parse(found.annotation(), found.method()));
	}

	/**
	 * Return how to lock a method that is known to carry the annotation.
	 * @throws InvalidFencedLockException if the annotation, or the method under it, is
	 * nothing that can work
	 */
	FencedLockOperation requireOperation(Method method, Class<?> targetClass) {
		FencedLockOperation operation = getOperation(method, targetClass);
		Assert.state(operation != null, () -> "No annotation on " + method);
		return operation;
	}

	private Optional<FoundAnnotation> annotationOf(Method method, Class<?> targetClass) {
		return this.annotations.computeIfAbsent(new MethodClassKey(method, targetClass),
				(key) -> findAnnotation(method, targetClass));
	}

	private static Optional<FoundAnnotation> findAnnotation(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		MergedAnnotation<FencedLock> annotation = MergedAnnotations.from(specific, SearchStrategy.TYPE_HIERARCHY)
			.get(FencedLock.class);
		return annotation.isPresent() ? Optional.of(new FoundAnnotation(annotation, specific)) : Optional.empty();
	}

	private record FoundAnnotation(MergedAnnotation<FencedLock> annotation, Method method) {
	}

}
