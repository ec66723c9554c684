package dev.fencing.docs;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in YAML are properties, unless its first key says that it is a file of somebody
 * else's.
 */
final class YamlSnippets implements SnippetChecker {

	private final PropertyRules rules = new PropertyRules();

	@Override
	public void check(Snippet snippet) throws Exception {
		Map<?, ?> content = new Yaml().load(snippet.text());
		if (content.containsKey("databaseChangeLog")) {
			checkChangeLog(snippet, content);
		}
		else if (content.containsKey("scrape_configs")) {
			checkPrometheus(snippet, content);
		}
		else {
			checkProperties(snippet);
		}
	}

	private void checkProperties(Snippet snippet) throws Exception {
		Map<String, Object> values = new LinkedHashMap<>();
		List<PropertySource<?>> sources = new YamlPropertySourceLoader().load(snippet.place(),
				new ByteArrayResource(snippet.text().getBytes(StandardCharsets.UTF_8)));
		for (PropertySource<?> source : sources) {
			for (String name : ((OriginTrackedMapPropertySource) source).getPropertyNames()) {
				values.put(name, source.getProperty(name).toString());
			}
		}
		assertThat(values).as(snippet.place()).isNotEmpty();
		this.rules.check(snippet.place(), values);
	}

	/**
	 * The tests of Liquibase run a changelog that includes the same.
	 */
	private static void checkChangeLog(Snippet snippet, Map<?, ?> content) throws IOException {
		Map<?, ?> tested = new Yaml().load(
				new ClassPathResource("neighbour/liquibase/changelog.yaml").getContentAsString(StandardCharsets.UTF_8));
		List<?> entries = (List<?>) content.get("databaseChangeLog");
		assertThat(entries).as(snippet.place())
			.isNotEmpty()
			.allSatisfy((entry) -> assertThat((List<?>) tested.get("databaseChangeLog")).as("what LiquibaseTests run")
				.anyMatch(entry::equals));
	}

	/**
	 * Prometheus' own tool judges where it is installed, as in CI; the tests of the
	 * sample run a Prometheus with such a file.
	 */
	private static void checkPrometheus(Snippet snippet, Map<?, ?> content) throws Exception {
		assertThat((List<?>) content.get("scrape_configs")).as(snippet.place())
			.isNotEmpty()
			.allSatisfy((scrape) -> assertThat(((Map<?, ?>) scrape).get("metrics_path")).as(snippet.place())
				.isEqualTo("/actuator/prometheus"));
		Path promtool = promtool();
		if (promtool == null) {
			assertThat(System.getenv("CI")).as("%s: in CI promtool checks it", snippet.place()).isNull();
			return;
		}
		Path file = Files.createTempFile("prometheus", ".yml");
		try {
			Files.writeString(file, snippet.text());
			Process process = new ProcessBuilder(promtool.toString(), "check", "config", file.toString())
				.redirectErrorStream(true)
				.start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).as("%s: %s", snippet.place(), output).isZero();
		}
		finally {
			Files.delete(file);
		}
	}

	private static @Nullable Path promtool() {
		return Stream
			.concat(Stream.of("/usr/bin"),
					Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)))
			.filter((folder) -> !folder.isEmpty())
			.map((folder) -> Path.of(folder, "promtool"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

}
