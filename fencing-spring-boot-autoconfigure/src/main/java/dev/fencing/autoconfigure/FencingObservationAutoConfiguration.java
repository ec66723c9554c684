package dev.fencing.autoconfigure;

import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

import dev.fencing.LockCallObserver;
import dev.fencing.metrics.FencedLockObservationConvention;
import dev.fencing.metrics.ObservedLockCalls;

/**
 * Auto-configuration of the observation of locked calls, for applications that have an
 * observation registry.
 *
 * @since 0.1.0
 */
// Without these names this one, which sorts before Boot's, finds no registry. The first
// one is Boot 4's, the other one 3.5's.
@AutoConfiguration(
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
public final class FencingObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockCallObserver fencingLockCallObserver(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<FencedLockObservationConvention> convention) {
		return new ObservedLockCalls(registry.getObject(), convention.getIfAvailable());
	}

}
