package dev.fencing.sample.aot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the application locks and refuses as ever when its beans are made by code
 * that was generated at build time. The profile {@code aot} builds the jar and runs them.
 */
@Tag("aot")
@Timeout(300)
class ProcessedJarTests {

	@TempDir
	private static Path folder;

	private static ProcessedJar jar;

	@BeforeAll
	static void startJar() throws IOException {
		jar = ProcessedJar.start(folder);
	}

	@AfterAll
	static void stopJar() {
		jar.close();
	}

	@Test
	void raceThatItRunsWhenItStartsIsShown() {
		assertThat(jar.output()).contains("A was refused, since B had taken over");
	}

	@Test
	void beansAreMadeByGeneratedCode() {
		assertThat(jar.output()).contains("Starting AOT-processed SampleApplication");
	}

	@ParameterizedTest
	@CsvSource({ "beforeWrite, row", "beforeCommit, transaction" })
	void staleOwnerIsRefusedAndListed(String pause, String guard) throws Exception {
		double before = rejected(guard);
		String race = jar.send("POST", "/api/races", """
				{"fenced": true, "pause": "%s", "leaseTime": "500ms", "pauseTime": "800ms"}""".formatted(pause));
		assertThat(JsonPath.<Integer>read(race, "$.rejected")).isOne();
		assertThat(JsonPath.<Boolean>read(race, "$.lostUpdate")).isFalse();
		String resource = JsonPath.read(race, "$.resource");
		List<Map<String, Object>> listed = JsonPath.read(jar.get("/actuator/fencing"),
				"$.rejections.recent[?(@.resource == '%s')]".formatted(resource));
		assertThat(listed).singleElement()
			.satisfies((rejection) -> assertThat(rejection).containsEntry("guard", guard)
				.containsEntry("reason", "stale"));
		assertThat(rejected(guard)).isEqualTo(before + 1);
	}

	@Test
	void annotatedMethodIsLocked() throws Exception {
		String document = jar.send("POST", "/api/documents", """
				{"title": "draft"}""");
		Number id = JsonPath.read(document, "$.id");
		assertThat(jar.get("/actuator/fencing?resource=document:" + id)).contains("\"registered\":null");
		jar.send("PUT", "/api/documents/" + id, """
				{"title": "final"}""");
		assertThat(jar.get("/actuator/fencing?resource=document:" + id)).contains("\"registered\":{");
	}

	private static double rejected(String guard) throws Exception {
		return jar.get("/actuator/prometheus")
			.lines()
			.filter((line) -> line.startsWith("fence_rejected_total{guard=\"" + guard + "\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

}
