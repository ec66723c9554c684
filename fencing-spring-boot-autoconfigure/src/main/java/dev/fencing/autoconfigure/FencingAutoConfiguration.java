package dev.fencing.autoconfigure;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.LockCallObserver;
import dev.fencing.event.FencingEventPublisher;
import dev.fencing.interceptor.AutoProxyRegistrar;
import dev.fencing.interceptor.FencedLockAdvisor;
import dev.fencing.interceptor.FencedLockBeanVerifier;
import dev.fencing.interceptor.FencedLockInterceptor;
import dev.fencing.interceptor.FencedLockOperationSource;
import dev.fencing.jpa.BoundPersistenceContextGate;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionLogger;
import dev.fencing.transaction.AcquisitionGate;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.LeasedLockTemplate;

/**
 * Auto-configuration of {@link dev.fencing.FencedLock @FencedLock} and
 * {@link FencedLockTemplate}. The advisor is always there: what it would need and cannot
 * find stops the start.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { FencingRedisAutoConfiguration.class, FencingJdbcAutoConfiguration.class })
@EnableConfigurationProperties(FencingProperties.class)
@Import(AutoProxyRegistrar.class)
public final class FencingAutoConfiguration {

	/**
	 * Told before those of the application, and before methods that listen to events: a
	 * slow one must not keep meters from what happens.
	 */
	static final int OUR_LISTENERS = 0;

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedLockOperationSource fencedLockOperationSource(Environment environment) {
		return new FencedLockOperationSource(environment);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedLockAdvisor fencedLockAdvisor(FencedLockOperationSource operations,
			ObjectProvider<FencedLockTemplate> template, BeanFactory beanFactory, Environment environment) {
		FencedLockAdvisor advisor = new FencedLockAdvisor(operations,
				new FencedLockInterceptor(operations, template, beanFactory));
		// The properties bean would be made before the post-processors that bind it
		advisor.setOrder(Binder.get(environment)
			.bind("fencing.lock.order", Integer.class)
			.orElse(FencedLockAdvisor.DEFAULT_ORDER));
		return advisor;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedLockBeanVerifier fencedLockBeanVerifier(FencedLockOperationSource operations,
			ObjectProvider<FencingListener> listeners, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		FencedLockBeanVerifier verifier = new FencedLockBeanVerifier(operations, listeners, beanFactory);
		Binder properties = Binder.get(environment);
		int partitions = properties.bind("fencing.redis.partitions", Integer.class).orElse(1);
		if (partitions > 1 && properties.bind("fencing.provider", FencingProperties.Provider.class)
			.orElse(FencingProperties.Provider.REDIS) == FencingProperties.Provider.REDIS) {
			verifier.refuseKeys(
					"fencing.redis.partitions is %d, and each partition has numbers of its own".formatted(partitions),
					"set fencing.redis.partitions to 1 in all services of the namespace");
		}
		return verifier;
	}

	@Bean
	LeaseSettings fencingLeaseSettings(FencingProperties properties) {
		FencingProperties.Lock lock = properties.getLock();
		return new LeaseSettings(lock.getLeaseTime(), lock.getWaitTime(), lock.getRenewInterval(), lock.getMaxHold());
	}

	@Bean
	HeldLeases fencingHeldLeases() {
		return new HeldLeases();
	}

	/**
	 * Also the history that is shown, unless there is another one.
	 */
	@Bean
	@Fallback
	@Order(OUR_LISTENERS)
	@ConditionalOnMissingBean
	RejectionLog fencingRejectionLog(FencingProperties properties) {
		return new RejectionLog(properties.getRejections().getCapacity());
	}

	@Bean
	@Order(OUR_LISTENERS)
	RejectionLogger fencingRejectionLogger() {
		return new RejectionLogger();
	}

	@Bean
	LeaseRenewer fencingLeaseRenewer(ObjectProvider<LeaseProvider> provider, LeaseSettings settings) {
		return new LeaseRenewer(required(provider), settings);
	}

	@Bean
	LeaseAcquirer fencingLeaseAcquirer(ObjectProvider<LeaseProvider> provider, LeaseRenewer renewer, HeldLeases held,
			LeaseSettings settings) {
		return new LeaseAcquirer(required(provider), renewer, settings, held);
	}

	@Bean
	@ConditionalOnMissingBean
	FencingEventPublisher fencingEventPublisher(ApplicationEventPublisher publisher) {
		return new FencingEventPublisher(publisher);
	}

	@Bean
	LeaseLifecycle fencingLeaseLifecycle(HeldLeases held, ObjectProvider<LeaseProvider> provider) {
		return new LeaseLifecycle(held, provider.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	FencedLockTemplate fencedLockTemplate(ObjectProvider<LeaseProvider> provider, LeaseAcquirer acquirer,
			LeaseSettings settings, ObjectProvider<GenerationRegistry> registry, ObjectProvider<AcquisitionGate> gates,
			ObjectProvider<FencingListener> listeners, ObjectProvider<LockCallObserver> observer,
			FencingProperties properties) {
		return new LeasedLockTemplate(required(provider), acquirer, registry.getIfAvailable(),
				properties.getLock().getActiveTransaction(), gates.orderedStream().toList(),
				new CompositeFencingListener(listeners.orderedStream().toList()),
				observer.getIfAvailable(() -> LockCallObserver.NONE), settings.waitTime(),
				properties.instanceIdOrDefault());
	}

	/**
	 * Makes the template also where beans are lazy, so that what is missing shows at the
	 * start.
	 */
	@Bean
	SmartInitializingSingleton fencedLockTemplateCheck(ObjectProvider<FencedLockTemplate> template) {
		return template::getObject;
	}

	private static LeaseProvider required(ObjectProvider<LeaseProvider> provider) {
		LeaseProvider available = provider.getIfAvailable();
		if (available == null) {
			throw new FencingConfigurationException(
					"There is no lease provider: Spring Data Redis with Lettuce is not on the class path.",
					"Add spring-boot-starter-data-redis, or set fencing.provider to memory in tests.");
		}
		return available;
	}

	/**
	 * Leases in the memory of this process.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "fencing.provider", havingValue = "memory")
	static class MemoryConfiguration {

		@Bean
		@ConditionalOnMissingBean(LeaseProvider.class)
		InMemoryLeaseProvider fencingLeaseProvider() {
			return new InMemoryLeaseProvider();
		}

	}

	/**
	 * Persistence contexts that were bound before a lease.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = { "org.springframework.orm.jpa.EntityManagerHolder", "org.hibernate.Session" })
	static class JpaConfiguration {

		@Bean
		@ConditionalOnMissingBean
		BoundPersistenceContextGate fencingPersistenceContextGate() {
			return new BoundPersistenceContextGate();
		}

	}

}
