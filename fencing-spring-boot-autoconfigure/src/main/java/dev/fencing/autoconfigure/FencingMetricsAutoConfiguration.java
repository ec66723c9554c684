package dev.fencing.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

import dev.fencing.metrics.FencingMetrics;
import dev.fencing.rejection.RejectionWriter;

/**
 * Auto-configuration of the meters, for applications that have a meter registry.
 *
 * @since 0.1.0
 */
// Without these names this one, which sorts before Boot's, finds no registry. The first
// two are Boot 4's, the others 3.5's.
@AutoConfiguration(afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class FencingMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	@Order(FencingAutoConfiguration.OUR_LISTENERS)
	FencingMetrics fencingMetrics(MeterRegistry registry) {
		return new FencingMetrics(registry);
	}

	/**
	 * Also for meters that the application has made itself.
	 */
	@Bean
	SmartInitializingSingleton fencingDroppedRejectionsMeter(ObjectProvider<FencingMetrics> metrics,
			ObjectProvider<RejectionWriter> writer) {
		return () -> writer
			.ifAvailable((stored) -> metrics.ifAvailable((meters) -> meters.countDropped(stored::dropped)));
	}

}
