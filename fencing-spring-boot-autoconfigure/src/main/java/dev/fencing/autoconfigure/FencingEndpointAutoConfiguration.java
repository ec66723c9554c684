package dev.fencing.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import dev.fencing.FencedLockTemplate;
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.FencingSources;
import dev.fencing.actuate.KeyMask;
import dev.fencing.actuate.LockTotals;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionWriter;
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
@ConditionalOnBean(FencingProperties.class)
public final class FencingEndpointAutoConfiguration {

	@Bean
	LockTotals fencingLockTotals() {
		return new LockTotals();
	}

	@Bean
	FencingSources fencingSources(LeaseProvider provider, HeldLeases held, LeaseAcquirer acquirer, LockTotals totals,
			RejectionLog log, ObjectProvider<RejectionHistory> histories, ObjectProvider<RejectionWriter> writer,
			ObjectProvider<GenerationRegistry> registry, FencedLockTemplate locks, FencingProperties properties) {
		RejectionHistory lasting = histories.orderedStream()
			.filter((history) -> history != log)
			.findFirst()
			.orElse(log);
		return new FencingSources(properties.instanceIdOrDefault(), provider, held, acquirer, totals, log, lasting,
				writer.getIfAvailable(), registry.getIfAvailable(), locks,
				properties.getRejections().isMaskKeys() ? KeyMask.random() : KeyMask.NONE);
	}

	@Bean
	@ConditionalOnMissingBean
	FencingEndpoint fencingEndpoint(FencingSources sources) {
		return new FencingEndpoint(sources);
	}

}
