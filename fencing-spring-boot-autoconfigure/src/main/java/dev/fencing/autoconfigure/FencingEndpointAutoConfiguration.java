package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.Rejection;
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
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.LeasedLockTemplate;

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
	@ConditionalOnMissingBean
	@Order(FencingAutoConfiguration.OUR_LISTENERS)
	LockTotals fencingLockTotals() {
		return new LockTotals();
	}

	@Bean
	FencingSources fencingSources(LeaseProvider provider, HeldLeases held, LeaseAcquirer acquirer, LockTotals totals,
			RejectionLog log, RejectionHistory history, ObjectProvider<RejectionWriter> writer,
			ObjectProvider<GenerationRegistry> registry, ObjectProvider<FencingListener> listeners,
			FencingProperties properties) {
		// Asks for the name of the host, which may take a while
		String instance = properties.instanceIdOrDefault();
		// What an operator does is no call of the application: only rejections are told
		FencedLockTemplate locks = new LeasedLockTemplate(provider, acquirer, registry.getIfAvailable(),
				ActiveTransaction.REJECT, List.of(),
				new RejectionsOnly(new CompositeFencingListener(listeners.orderedStream().toList())), Duration.ZERO,
				instance);
		return new FencingSources(instance, provider, held, acquirer, totals, log, history, writer.getIfAvailable(),
				registry.getIfAvailable(), locks,
				properties.getRejections().isMaskKeys() ? KeyMask.random() : KeyMask.NONE);
	}

	@Bean
	@ConditionalOnMissingBean
	FencingEndpoint fencingEndpoint(FencingSources sources) {
		return new FencingEndpoint(sources);
	}

	/**
	 * Tells of rejections, and of nothing else.
	 *
	 * @param listener who is told
	 */
	private record RejectionsOnly(FencingListener listener) implements FencingListener {

		@Override
		public void rejected(Rejection rejection) {
			this.listener.rejected(rejection);
		}

		@Override
		public void issuerRegressed(Rejection rejection) {
			this.listener.issuerRegressed(rejection);
		}

	}

}
