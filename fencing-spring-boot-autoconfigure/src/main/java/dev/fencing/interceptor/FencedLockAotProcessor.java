package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;

import dev.fencing.FencedLock;

/**
 * Keeps in native images what locked methods are called by, and what their key
 * expressions read. Without it a method whose bean is proxied by its interfaces would not
 * be seen, and so not be locked.
 *
 * @since 0.1.0
 */
public final class FencedLockAotProcessor implements BeanRegistrationAotProcessor {

	// Placeholders in names and times are left to the start: their values may not be
	// known before
	private final FencedLockOperationSource operations = new FencedLockOperationSource(new StandardEnvironment());

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		Map<Method, Class<?>> methods = new HashMap<>();
		for (Class<?> type : typesOf(registeredBean)) {
			this.operations.getFencedMethods(type).forEach((method) -> methods.put(method, type));
		}
		if (methods.isEmpty()) {
			return null;
		}
		return (generation, code) -> {
			ReflectionHints hints = generation.getRuntimeHints().reflection();
			methods.forEach((method, type) -> register(method, type, registeredBean, hints));
		};
	}

	private static Set<Class<?>> typesOf(RegisteredBean registeredBean) {
		Set<Class<?>> types = new LinkedHashSet<>();
		Class<?> beanClass = registeredBean.getBeanClass();
		types.add(ClassUtils.getUserClass(beanClass));
		if (FactoryBean.class.isAssignableFrom(beanClass) && !registeredBean.isInnerBean()) {
			Class<?> product = registeredBean.getBeanFactory().getType(registeredBean.getBeanName(), false);
			if (product != null) {
				types.add(product);
			}
		}
		return types;
	}

	private void register(Method method, Class<?> type, RegisteredBean registeredBean, ReflectionHints hints) {
		Method specific = AopUtils.getMostSpecificMethod(method, type);
		hints.registerMethod(specific, ExecutableMode.INVOKE);
		for (Class<?> implemented : ClassUtils.getAllInterfacesForClassAsSet(type)) {
			for (Method candidate : implemented.getMethods()) {
				if (AopUtils.getMostSpecificMethod(candidate, type).equals(specific)) {
					hints.registerMethod(candidate, ExecutableMode.INVOKE);
				}
			}
		}
		MergedAnnotation<FencedLock> annotation = MergedAnnotations.from(specific, SearchStrategy.TYPE_HIERARCHY)
			.get(FencedLock.class);
		Method annotated = (annotation.getSource() instanceof Method source) ? source : specific;
		hints.registerMethod(annotated, ExecutableMode.INVOKE);
		KeyExpressionHints keys = new KeyExpressionHints(annotated, type, registeredBean.getBeanFactory(), hints);
		keys.register(annotation.getString("key"));
		keys.register(annotation.getString("keys"));
	}

}
