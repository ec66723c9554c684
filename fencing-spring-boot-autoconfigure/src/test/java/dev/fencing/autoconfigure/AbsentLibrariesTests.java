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

	private static List<String> beansWithout(String[]... jars) throws Exception {
		try (ClassPathWithout classPath = ClassPathWithout
			.jars(Arrays.stream(jars).flatMap(Arrays::stream).toArray(String[]::new))) {
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
