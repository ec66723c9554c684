package dev.fencing.autoconfigure;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.UrlResource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring Boot and editors read of this jar.
 */
class AutoConfigurationFilesTests {

	/**
	 * What Spring Boot 3.5 calls the auto-configurations that ours come after.
	 */
	private static final Set<String> NAMES_OF_BOOT_3 = Set.of(
			"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
			"org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
			"org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
			"org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration");

	/**
	 * Settings that are off, or worked out, unless they are set.
	 */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("fencing.instance-id", "fencing.lock.renew-interval",
			"fencing.lock.max-hold", "fencing.jdbc.platform");

	@Test
	void importsAreSortedAndComplete() throws IOException {
		List<String> imports = imports();
		assertThat(imports).isSorted()
			.doesNotHaveDuplicates()
			.contains(FencingAutoConfiguration.class.getName(), FencingJdbcAutoConfiguration.class.getName(),
					FencingRedisAutoConfiguration.class.getName(), FencingMetricsAutoConfiguration.class.getName(),
					FencingEndpointAutoConfiguration.class.getName(),
					FencingObservationAutoConfiguration.class.getName())
			.allSatisfy((name) -> assertThat(Class.forName(name)).hasAnnotation(AutoConfiguration.class));
	}

	@ParameterizedTest
	@MethodSource("imports")
	void comesAfterWhatExists(String name) throws ClassNotFoundException {
		AutoConfiguration annotation = Class.forName(name).getAnnotation(AutoConfiguration.class);
		List<String> names = Stream.of(annotation.afterName(), annotation.beforeName()).flatMap(Stream::of).toList();
		// A name that nobody has is ignored, and so is the order
		assertThat(names).allMatch((other) -> NAMES_OF_BOOT_3.contains(other) || isPresent(other));
		assertThat(names.stream().filter(NAMES_OF_BOOT_3::contains).map(ClassUtils::getShortName))
			.allSatisfy((shortName) -> assertThat(names.stream().filter(AutoConfigurationFilesTests::isPresent))
				.anyMatch((other) -> other.endsWith(shortName)));
	}

	@Test
	void analyzersAreRegistered() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {
			}))).hasAtLeastOneElementOfType(FencingConfigurationFailureAnalyzer.class)
			.hasAtLeastOneElementOfType(InvalidFencedLockFailureAnalyzer.class)
			.hasAtLeastOneElementOfType(UnguardableTransactionManagerFailureAnalyzer.class);
	}

	@Test
	void everySettingIsDescribed() throws IOException {
		List<Map<String, Object>> settings = settings();
		assertThat(settings).extracting((setting) -> setting.get("name"))
			.contains("fencing.provider", "fencing.namespace", "fencing.instance-id", "fencing.lock.lease-time",
					"fencing.lock.wait-time", "fencing.lock.renew-interval", "fencing.lock.max-hold",
					"fencing.lock.order", "fencing.redis.clock-floor", "fencing.jdbc.token-column",
					"fencing.jdbc.registration", "fencing.jdbc.registration-timeout", "fencing.jdbc.table-name",
					"fencing.jdbc.schema", "fencing.jdbc.platform", "fencing.jdbc.initialize-schema",
					"fencing.rejections.capacity", "fencing.rejections.mask-keys", "fencing.rejections.store",
					"fencing.rejections.queue-capacity", "fencing.rejections.retention",
					"fencing.rejections.table-name", "fencing.rejections.schema");
		assertThat(settings).filteredOn((setting) -> setting.get("name").equals("fencing.rejections.retention"))
			.extracting((setting) -> setting.get("defaultValue"))
			.containsExactly("30d");
		assertThat(settings).allSatisfy((setting) -> {
			assertThat(setting.get("description")).asString().endsWith(".");
			assertThat(setting.get("type")).isNotNull();
			assertThat(setting.get("defaultValue") == null).as("default of %s", setting)
				.isEqualTo(WITHOUT_DEFAULT.contains(setting.get("name")));
		});
	}

	static List<String> imports() throws IOException {
		String imports = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
		// Of the same name as those of Spring Boot's jars
		String location = FencingAutoConfiguration.class.getProtectionDomain().getCodeSource().getLocation() + imports;
		return new UrlResource(location).getContentAsString(StandardCharsets.UTF_8).lines().toList();
	}

	private static boolean isPresent(String name) {
		return ClassUtils.isPresent(name, AutoConfigurationFilesTests.class.getClassLoader());
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> settings() throws IOException {
		ClassLoader classLoader = FencingProperties.class.getClassLoader();
		for (URL url : Collections.list(classLoader.getResources("META-INF/spring-configuration-metadata.json"))) {
			Map<String, Object> metadata = JsonParserFactory.getJsonParser()
				.parseMap(new UrlResource(url).getContentAsString(StandardCharsets.UTF_8));
			List<Map<String, Object>> settings = ((List<Map<String, Object>>) metadata.get("properties")).stream()
				.filter((setting) -> setting.get("name").toString().startsWith("fencing."))
				.toList();
			if (!settings.isEmpty()) {
				return settings;
			}
		}
		return List.of();
	}

}
