package dev.fencing.sample.operations;

import java.util.Map;
import java.util.stream.Collectors;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsProperties;
import org.springframework.boot.micrometer.metrics.autoconfigure.PropertiesMeterFilter;

import dev.fencing.metrics.FencingMetrics;

/**
 * Meters that the sample, as it is configured, does not have.
 */
final class OptionalMeters {

	/**
	 * There with {@code fencing.rejections.store=jdbc}.
	 */
	static final String DROPPED = "fence_rejections_dropped_total";

	private OptionalMeters() {
	}

	/**
	 * Return what Prometheus would get of the dropped rejections.
	 */
	static String dropped() {
		return scrape(Map.of()).lines()
			.filter((line) -> line.startsWith(DROPPED))
			.collect(Collectors.joining("\n", "", "\n"));
	}

	/**
	 * Return what Prometheus would get of a lock.
	 * @param properties as in a properties file
	 */
	static String scrape(Map<String, String> properties) {
		MetricsProperties metrics = new Binder(new MapConfigurationPropertySource(properties))
			.bindOrCreate("management.metrics", Bindable.of(MetricsProperties.class));
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		registry.config().meterFilter(new PropertiesMeterFilter(metrics));
		FencingMetrics meters = new FencingMetrics(registry);
		meters.lockKnown("document");
		meters.countDropped(() -> 0);
		return registry.scrape();
	}

}
