package dev.fencing.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.transaction.GenerationRegistry;

/**
 * Auto-configuration of the actuator endpoint {@code fencing}, for applications that
 * expose it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = FencingAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(FencingEndpoint.class)
public final class FencingEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(FencingProperties.class)
	FencingEndpoint fencingEndpoint(LeaseProvider provider, HeldLeases leases, RejectionLog rejections,
			ObjectProvider<GenerationRegistry> registry, FencingProperties properties) {
		return new FencingEndpoint(provider, properties.instanceIdOrDefault(), leases, rejections,
				registry.getIfAvailable());
	}

}
