package dev.fencing.sample.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.client.RestTestClient;

import dev.fencing.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that what the page for operators tells of the endpoint, the log and other pages
 * is so.
 */
@SampleTest
class OperationsPageTests {

	private static final Path SOURCES = Path.of("..", "fencing-spring-boot-autoconfigure", "src", "main", "java");

	private static final Pattern LOG_LINE = Pattern.compile("^\\| `([^`]+)` \\| (?:WARN|ERROR) \\|", Pattern.MULTILINE);

	private final OperationsPage page = new OperationsPage();

	private RestTestClient client;

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void everyLinkLeadsSomewhere() {
		assertThat(this.page.links()).isNotEmpty().allSatisfy((link) -> {
			String[] parts = link.split("#", 2);
			Path target = parts[0].isEmpty() ? Documents.OPERATIONS : Documents.OPERATIONS.resolveSibling(parts[0]);
			assertThat(target).exists();
			if (parts.length > 1) {
				assertThat(OperationsPage.anchors(Documents.read(target))).contains(parts[1]);
			}
		});
	}

	@Test
	void everyFieldOfTheEndpointIsExplained() {
		String section = this.page.section("Endpoint");
		for (String uri : List.of("/actuator/fencing", "/actuator/fencing?resource=document:1")) {
			JsonNode report = this.client.get()
				.uri(uri)
				.exchangeSuccessfully()
				.expectBody(JsonNode.class)
				.returnResult()
				.getResponseBody();
			assertThat(report).isNotNull();
			assertThat(report.propertyNames()).isNotEmpty()
				.filteredOn((name) -> !name.equals("resource"))
				.allSatisfy((name) -> assertThat(section).containsPattern("`" + name + "[.`]"));
		}
	}

	@Test
	void everyLogLineIsWritten() throws IOException {
		String sources = sources();
		List<String> lines = LOG_LINE.matcher(this.page.section("Log")).results().map((line) -> line.group(1)).toList();
		assertThat(lines).hasSizeGreaterThan(5)
			.allSatisfy((line) -> assertThat(pattern(line).matcher(sources).find()).as(line).isTrue());
	}

	private static Pattern pattern(String line) {
		return Pattern
			.compile(Stream.of(line.split(" \\.\\.\\. ")).map(Pattern::quote).collect(Collectors.joining(" \\S+ ")));
	}

	private static String sources() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			return files.filter((file) -> file.toString().endsWith(".java"))
				.map(Documents::read)
				.collect(Collectors.joining());
		}
	}

}
