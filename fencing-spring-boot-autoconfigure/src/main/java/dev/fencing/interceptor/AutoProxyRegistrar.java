package dev.fencing.interceptor;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.Assert;

/**
 * Registers the auto-proxy creator if nobody else does: with
 * {@code spring.aop.auto=false} and without a transaction manager there would be none,
 * and no method would be locked. Classes are proxied as such unless
 * {@code spring.aop.proxy-target-class} is false, as Spring Boot does.
 *
 * @since 0.1.0
 */
public class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {

	private final Environment environment;

	/**
	 * Create a registrar.
	 * @param environment says how to proxy; never null
	 */
	public AutoProxyRegistrar(Environment environment) {
		Assert.notNull(environment, "'environment' must not be null");
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		if (this.environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
			AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
		}
	}

}
