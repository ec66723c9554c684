package dev.fencing.transaction;

import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.BeanPostProcessor;
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
public final class FencedTransactionManagerPostProcessor implements BeanPostProcessor {

	private static final Log logger = LogFactory.getLog(FencedTransactionManagerPostProcessor.class);

	private static final boolean jtaPresent = ClassUtils.isPresent("jakarta.transaction.UserTransaction",
			FencedTransactionManagerPostProcessor.class.getClassLoader());

	private final Supplier<TransactionConnections> connections;

	/**
	 * Create a post-processor.
	 * @param connections finds the connections of the fenced database; asked for when the
	 * first transaction begins; never null
	 */
	public FencedTransactionManagerPostProcessor(Supplier<TransactionConnections> connections) {
		this.connections = connections;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof PlatformTransactionManager manager)) {
			return bean;
		}
		if (jtaPresent && JtaManagers.isJta(manager)) {
			throw new UnguardableTransactionManagerException(beanName,
					"JTA returns the connection before the commit, so that no guard can be the last statement");
		}
		if (manager instanceof ConfigurableTransactionManager configurable) {
			configurable.addListener(new FencedTransactionListener(manager, this.connections));
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
