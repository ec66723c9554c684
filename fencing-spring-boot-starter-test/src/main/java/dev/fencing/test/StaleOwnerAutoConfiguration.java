package dev.fencing.test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.transaction.TransactionManager;

import dev.fencing.autoconfigure.FencingProperties;
import dev.fencing.lease.LeaseProvider;

/**
 * Auto-configuration of {@link StaleOwner}, for tests that are annotated with
 * {@link AutoConfigureFencing @AutoConfigureFencing}.
 */
@AutoConfiguration
@EnableConfigurationProperties(FencingProperties.class)
class StaleOwnerAutoConfiguration {

	/**
	 * Told last of a lease: whoever else is told of it need not wait for a paused owner.
	 */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static CurrentRun fencingCurrentRun() {
		return new CurrentRun();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static WatchedDataSources fencingWatchedDataSources(CurrentRun currentRun) {
		return new WatchedDataSources(currentRun);
	}

	@Bean
	StaleOwner staleOwner(CurrentRun currentRun, WatchedDataSources dataSources, ObjectProvider<LeaseProvider> provider,
			ObjectProvider<TransactionManager> transactionManagers, FencingProperties properties) {
		return new StaleOwner(new StaleOwnerStage(currentRun, dataSources, provider, transactionManagers, properties));
	}

}
