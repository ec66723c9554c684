package dev.fencing.transaction;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Attaches a guard to every transaction manager of the application, also to those that
 * the application defines itself.
 *
 * @since 0.1.0
 */
public final class FencedTransactionManagerPostProcessor
		implements BeanPostProcessor, SmartInitializingSingleton, BeanFactoryAware {

	private static final Log logger = LogFactory.getLog(FencedTransactionManagerPostProcessor.class);

	private static final boolean jtaPresent = ClassUtils.isPresent("jakarta.transaction.UserTransaction",
			FencedTransactionManagerPostProcessor.class.getClassLoader());

	private final Supplier<TransactionConnections> connections;

	private final Set<PlatformTransactionManager> known = ConcurrentHashMap.newKeySet();

	private @Nullable BeanFactory beanFactory;

	/**
	 * Create a post-processor.
	 * @param connections finds the connections of the fenced database; asked for when the
	 * first transaction begins; never null
	 */
	public FencedTransactionManagerPostProcessor(Supplier<TransactionConnections> connections) {
		this.connections = connections;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Attaches the guard also to the managers that were created before this
	 * post-processor, since another one needs them, and to those that were registered as
	 * ready-made objects.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		if (this.beanFactory instanceof ConfigurableListableBeanFactory singletons) {
			for (String beanName : singletons.getSingletonNames()) {
				Object singleton = singletons.getSingleton(beanName);
				if (singleton != null) {
					postProcessAfterInitialization(singleton, beanName);
				}
			}
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof PlatformTransactionManager manager) || !this.known.add(manager)) {
			return bean;
		}
		if (jtaPresent && JtaManagers.isJta(manager)) {
			throw new UnguardableTransactionManagerException(beanName,
					"JTA returns the connection before the commit, so that no guard can be the last statement");
		}
		if (manager instanceof ConfigurableTransactionManager configurable) {
			if (configurable.getTransactionExecutionListeners()
				.stream()
				.noneMatch(FencedTransactionListener.class::isInstance)) {
				FencedTransactionListener.addTo(configurable, this.connections);
			}
		}
		else {
			logger.warn("""
					Transactions of '%s' are not guarded: %s is no ConfigurableTransactionManager, so that nothing can \
					be asked before its commits. What they write under a lease is protected by row guards only"""
				.formatted(beanName, bean.getClass().getName()));
		}
		return bean;
	}

	/**
	 * Loads what needs the JTA API only where it is there.
	 */
	private static final class JtaManagers {

		static boolean isJta(PlatformTransactionManager manager) {
			return manager instanceof JtaTransactionManager;
		}

	}

}
