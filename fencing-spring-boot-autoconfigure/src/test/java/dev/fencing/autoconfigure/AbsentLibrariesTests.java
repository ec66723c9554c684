package dev.fencing.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.testsupport.ClassPathWithout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application starts and locks without the libraries that only operators need.
 */
class AbsentLibrariesTests {

	// Not needed either, and slow to load
	private static final String[] NEVER = { "hibernate-", "lettuce-", "jedis-", "spring-boot-data-",
			"spring-boot-hibernate", "spring-boot-jpa", "spring-boot-tomcat", "spring-boot-webmvc", "spring-data-",
			"spring-orm", "spring-web", "tomcat-" };

	private static final String[] MICROMETER = { "micrometer-", "spring-boot-micrometer-" };

	private static final String[] ACTUATOR = { "spring-boot-actuator", "spring-boot-health" };

	private static final String[] NEIGHBOURS = { "shedlock-", "spring-integration-" };

	@Test
	void measuresAndShowsWithBoth() throws Exception {
		assertThat(beansWithout(NEVER)).contains("fencingMetrics", "fencingEndpoint");
	}

	@Test
	void locksWithoutMicrometer() throws Exception {
		assertThat(beansWithout(NEVER, MICROMETER)).contains("fencedLockTemplate", "fencingEndpoint")
			.doesNotContain("fencingMetrics");
	}

	@Test
	void locksWithoutBoth() throws Exception {
		assertThat(beansWithout(NEVER, MICROMETER, ACTUATOR)).contains("fencedLockTemplate")
			.doesNotContain("fencingMetrics", "fencingEndpoint");
	}

	/**
	 * Micrometer's observations come with Spring itself: that they are there is no reason
	 * to load what would use them.
	 */
	@Test
	void loadsNothingThatOnlyOperatorsNeed() throws Exception {
		String[] absent = concat(NEVER, ACTUATOR, new String[] { "micrometer-core", "micrometer-registry",
				"micrometer-tracing", "spring-boot-micrometer-", "simpleclient", "prometheus-" });
		try (ClassPathWithout classPath = ClassPathWithout.jars(absent)) {
			assertThat(classPath.call(LockAndListBeans.class)).contains("fencedLockTemplate");
			assertThat(classPath.loaded("dev.fencing.transaction.")).as("a control").isNotEmpty();
			assertThat(classPath.loaded("dev.fencing.metrics.")).isEmpty();
			assertThat(classPath.loaded("dev.fencing.actuate.")).isEmpty();
			assertThat(classPath.loaded("io.micrometer.core.")).isEmpty();
			assertThat(classPath.loaded("org.springframework.boot.actuate.")).isEmpty();
		}
	}

	private static String[] concat(String[]... names) {
		return Arrays.stream(names).flatMap(Arrays::stream).toArray(String[]::new);
	}

	@Test
	void loadsNothingThatOnlyNeighboursNeed() throws Exception {
		try (ClassPathWithout classPath = ClassPathWithout.jars(concat(NEVER, NEIGHBOURS))) {
			assertThat(classPath.call(LockAndListBeans.class)).contains("fencedLockTemplate");
			assertThat(classPath.loaded("dev.fencing.transaction.")).as("a control").isNotEmpty();
			assertThat(classPath.loaded("dev.fencing.shedlock.")).isEmpty();
			assertThat(classPath.loaded("dev.fencing.integration.")).isEmpty();
			assertThat(classPath.loaded("net.javacrumbs.")).isEmpty();
			assertThat(classPath.loaded("org.springframework.integration.")).isEmpty();
		}
	}

	private static List<String> beansWithout(String[]... jars) throws Exception {
		try (ClassPathWithout classPath = ClassPathWithout.jars(concat(jars))) {
			return classPath.call(LockAndListBeans.class);
		}
	}

	/**
	 * Starts an application, takes a lease and tells the names of its beans.
	 */
	public static class LockAndListBeans implements Callable<List<String>> {

		@Override
		public List<String> call() {
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties("fencing.provider=memory", "management.endpoints.web.exposure.include=fencing",
						"spring.datasource.generate-unique-name=true")
				.run()) {
				context.getBean(FencedLockTemplate.class).execute(LockRequest.of("document").key(42), (lease) -> null);
				return Arrays.asList(context.getBeanDefinitionNames());
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
