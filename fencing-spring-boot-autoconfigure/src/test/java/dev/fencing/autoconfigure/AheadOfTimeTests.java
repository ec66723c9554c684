package dev.fencing.autoconfigure;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.actuate.FencingReport;
import dev.fencing.actuate.Refusal;
import dev.fencing.actuate.ResourceReport;
import dev.fencing.actuate.TerminationReport;
import dev.fencing.lease.DurabilityFinding;
import dev.fencing.testsupport.AheadOfTime;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that are processed ahead of time: nothing of ours stands in the way, asks
 * a server, or is left out of a native image.
 */
class AheadOfTimeTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "fencing.provider=memory", "fencing.jdbc.registration=false",
			"fencing.rejections.store=jdbc", "spring.aop.proxy-target-class=false", "spring.aop.auto=false",
			"fencing.lock.order=17" })
	void everySetUpIsProcessed(String property) throws NoSuchMethodException {
		RuntimeHints hints = process(property);
		assertThat(hints).matches(
				RuntimeHintsPredicates.reflection().onMethodInvocation(Service.class.getMethod("rename", long.class)));
	}

	@ParameterizedTest
	@MethodSource("propertyTypes")
	void propertiesCanBeBound(Class<?> type) {
		RuntimeHints hints = process("");
		assertThat(type.getDeclaredMethods())
			.filteredOn((method) -> method.getName().startsWith("set") && Modifier.isPublic(method.getModifiers()))
			.isNotEmpty()
			.allSatisfy((method) -> assertThat(hints).as(method.toString())
				.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(method)));
	}

	static Stream<Class<?>> propertyTypes() {
		return Stream.concat(Stream.of(FencingProperties.class),
				Arrays.stream(FencingProperties.class.getDeclaredClasses()).filter((type) -> !type.isEnum()));
	}

	@ParameterizedTest
	@ValueSource(classes = { FencingConfigurationFailureAnalyzer.class, InvalidFencedLockFailureAnalyzer.class,
			UnguardableTransactionManagerFailureAnalyzer.class })
	void failuresAreAnalyzed(Class<? extends FailureAnalyzer> analyzer) throws NoSuchMethodException {
		assertThat(registered())
			.matches(RuntimeHintsPredicates.reflection().onConstructorInvocation(analyzer.getDeclaredConstructor()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "dev/fencing/jdbc/schema-postgresql.sql", "dev/fencing/jdbc/rejection-schema-h2.sql",
			"dev/fencing/lease/redis/acquire.lua" })
	void scriptsAreTakenAlong(String script) {
		assertThat(registered()).matches(RuntimeHintsPredicates.resource().forResource(script));
	}

	@Test
	void answersOfTheEndpointCanBeWritten() {
		RuntimeHints hints = process("management.endpoints.web.exposure.include=fencing");
		Set<Class<?>> answers = new LinkedHashSet<>();
		Stream.of(FencingReport.class, ResourceReport.class, TerminationReport.class, Refusal.class)
			.forEach((type) -> addWithParts(ResolvableType.forClass(type), answers));
		assertThat(answers).contains(FencingReport.Held.class, DurabilityFinding.class);
		for (Class<?> answer : answers) {
			for (RecordComponent part : answer.getRecordComponents()) {
				assertThat(hints).as(part.getAccessor().toString())
					.matches(RuntimeHintsPredicates.reflection().onMethodInvocation(part.getAccessor()));
			}
		}
	}

	private static void addWithParts(ResolvableType type, Set<Class<?>> found) {
		Arrays.stream(type.getGenerics()).forEach((generic) -> addWithParts(generic, found));
		Class<?> resolved = type.toClass();
		if (resolved.isRecord() && found.add(resolved)) {
			Arrays.stream(resolved.getRecordComponents())
				.forEach((part) -> addWithParts(ResolvableType.forMethodReturnType(part.getAccessor()), found));
		}
	}

	/**
	 * What is registered whatever the application is.
	 */
	private static RuntimeHints registered() {
		RuntimeHints hints = new RuntimeHints();
		ClassLoader classLoader = AheadOfTimeTests.class.getClassLoader();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories", classLoader)
			.load(RuntimeHintsRegistrar.class)
			.forEach((registrar) -> registrar.registerHints(hints, classLoader));
		return hints;
	}

	private static RuntimeHints process(String property) {
		Map<String, Object> properties = new HashMap<>();
		if (!property.isEmpty()) {
			properties.put(property.substring(0, property.indexOf('=')), property.substring(property.indexOf('=') + 1));
		}
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
			context.register(Application.class);
			return AheadOfTime.process(context);
		}
	}

	interface Service {

		void rename(long id);

	}

	static class LockedService implements Service {

		@Override
		@FencedLock(name = "document", key = "#id")
		@Transactional
		public void rename(long id) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
			MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			ObservationAutoConfiguration.class, FencingEndpointAutoConfiguration.class,
			FencingMetricsAutoConfiguration.class, FencingObservationAutoConfiguration.class })
	static class Application extends Startup.Application {

		@Bean
		LockedService service() {
			return new LockedService();
		}

	}

}
