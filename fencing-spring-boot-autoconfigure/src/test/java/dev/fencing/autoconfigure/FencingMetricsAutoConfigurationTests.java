package dev.fencing.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.fencing.FencingListener;
import dev.fencing.metrics.FencingMetrics;
import dev.fencing.rejection.RejectionSink;
import dev.fencing.rejection.RejectionWriter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link FencingMetricsAutoConfiguration}.
 */
class FencingMetricsAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(FencingMetricsAutoConfiguration.class));

	private final ApplicationContextRunner metricsRunner = this.runner
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class));

	@Test
	void metersGoToTheRegistryOfTheApplication() {
		this.metricsRunner.run((context) -> {
			context.getBean(FencingListener.class).lockKnown("document");
			assertThat(context.getBean(MeterRegistry.class).get("fence.rejected").counters()).hasSize(8);
		});
	}

	@Test
	void metersGoToAllRegistriesOfTheApplication() {
		this.metricsRunner.withConfiguration(AutoConfigurations.of(PrometheusMetricsExportAutoConfiguration.class))
			.withBean("further", SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				context.getBean(FencingListener.class).lockKnown("document");
				assertThat(context.getBeansOfType(MeterRegistry.class).values())
					.hasAtLeastOneElementOfType(PrometheusMeterRegistry.class)
					.hasAtLeastOneElementOfType(SimpleMeterRegistry.class)
					.allSatisfy((registry) -> assertThat(registry.get("fence.rejected").counters()).hasSize(8));
			});
	}

	@Test
	void timesAreHistogramsWhereAPropertySaysSo() {
		ApplicationContextRunner prometheus = this.metricsRunner
			.withConfiguration(AutoConfigurations.of(PrometheusMetricsExportAutoConfiguration.class));
		prometheus.run((context) -> assertThat(scrape(context)).doesNotContain("fence_lease_acquire_seconds_bucket"));
		prometheus
			.withPropertyValues("management.metrics.distribution.percentiles-histogram.fence.lease.acquire=true",
					"management.metrics.distribution.slo.fence.lease.held=100ms,1s")
			.run((context) -> assertThat(scrape(context))
				.contains("fence_lease_acquire_seconds_bucket{lock=\"document\",outcome=\"acquired\",le=\"0.001\"}")
				.contains("fence_lease_held_seconds_bucket{lock=\"document\",le=\"0.1\"}")
				.contains("fence_lease_renewal_slack_percent_bucket{lock=\"document\",le=\"33.0\"}"));
	}

	private static String scrape(ApplicationContext context) {
		context.getBean(FencingListener.class).lockKnown("document");
		return context.getBean(PrometheusMeterRegistry.class).scrape();
	}

	@Test
	void nothingIsMeasuredWithoutARegistry() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(FencingMetrics.class));
	}

	@Test
	void nothingIsMeasuredWithoutMicrometer() {
		this.runner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(FencingListener.class));
	}

	@Test
	void whatTheStoreNeverGotIsCountedInMetersOfTheApplicationToo() {
		try (RejectionWriter writer = new RejectionWriter(mock(RejectionSink.class), 1, null)) {
			this.metricsRunner.withUserConfiguration(OwnMetrics.class)
				.withBean(RejectionWriter.class, () -> writer)
				.run((context) -> assertThat(
						context.getBean(MeterRegistry.class).get("fence.rejections.dropped").functionCounter().count())
					.isZero());
		}
	}

	@Test
	void backsOffFromMetersOfTheApplication() {
		this.metricsRunner.withUserConfiguration(OwnMetrics.class)
			.run((context) -> assertThat(context).hasSingleBean(FencingMetrics.class).hasBean("own"));
	}

	@ParameterizedTest
	@ValueSource(classes = { MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class })
	void comesAfterWhatMakesTheRegistry(Class<?> autoConfiguration) {
		assertThat(FencingMetricsAutoConfiguration.class.getAnnotation(AutoConfiguration.class).afterName())
			.contains(autoConfiguration.getName());
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnMetrics {

		@Bean
		FencingMetrics own(MeterRegistry registry) {
			return new FencingMetrics(registry);
		}

	}

}
