package dev.fencing.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockCallObserver;
import dev.fencing.LockRequest;
import dev.fencing.metrics.DefaultFencedLockObservationConvention;
import dev.fencing.metrics.FencedLockObservationContext;
import dev.fencing.metrics.FencedLockObservationConvention;
import dev.fencing.metrics.ObservedLockCalls;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FencingObservationAutoConfiguration}.
 */
class FencingObservationAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(FencingObservationAutoConfiguration.class,
				FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class, DataSourceAutoConfiguration.class))
		.withPropertyValues("fencing.provider=memory", "spring.datasource.generate-unique-name=true");

	private final ApplicationContextRunner observedRunner = this.runner
		.withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
		.withBean(Recorder.class);

	@Test
	void lockedCallIsObserved() {
		this.observedRunner.run((context) -> {
			lock(context.getBean(FencedLockTemplate.class));
			assertThat(context.getBean(Recorder.class).names).containsExactly("fence.lock");
		});
	}

	@Test
	void conventionOfTheApplicationIsUsed() {
		this.observedRunner
			.withBean(FencedLockObservationConvention.class, () -> new DefaultFencedLockObservationConvention() {
				@Override
				public String getName() {
					return "lease";
				}
			})
			.run((context) -> {
				lock(context.getBean(FencedLockTemplate.class));
				assertThat(context.getBean(Recorder.class).names).containsExactly("lease");
			});
	}

	@Test
	void propertyOfSpringBootLeavesItOut() {
		this.observedRunner.withPropertyValues("management.observations.enable.fence.lock=false").run((context) -> {
			lock(context.getBean(FencedLockTemplate.class));
			assertThat(context.getBean(Recorder.class).names).isEmpty();
		});
	}

	@Test
	void backsOffFromTheObserverOfTheApplication() {
		this.observedRunner.withBean("own", LockCallObserver.class, () -> LockCallObserver.NONE).run((context) -> {
			lock(context.getBean(FencedLockTemplate.class));
			assertThat(context).hasSingleBean(LockCallObserver.class);
			assertThat(context.getBean(Recorder.class).names).isEmpty();
		});
	}

	@Test
	void nothingIsObservedWithoutARegistry() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed().doesNotHaveBean(LockCallObserver.class);
			lock(context.getBean(FencedLockTemplate.class));
		});
	}

	@Test
	void nothingIsObservedWhereNobodyCanTellWhichRegistryIsMeant() {
		this.runner.withBean("first", ObservationRegistry.class, ObservationRegistry::create)
			.withBean("second", ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LockCallObserver.class));
	}

	@Test
	void nothingIsObservedWithoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ObservedLockCalls.class));
	}

	private static void lock(FencedLockTemplate locks) {
		locks.executeWithoutResult(LockRequest.of("document").key(42), (lease) -> {
		});
	}

	static class Recorder implements ObservationHandler<FencedLockObservationContext> {

		final List<String> names = new ArrayList<>();

		@Override
		public void onStop(FencedLockObservationContext context) {
			this.names.add(context.getName());
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof FencedLockObservationContext;
		}

	}

}
