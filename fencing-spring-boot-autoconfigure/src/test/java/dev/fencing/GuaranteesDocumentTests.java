package dev.fencing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The document of the guarantees names a test for each of them: all of these exist.
 */
class GuaranteesDocumentTests {

	private static final Pattern TEST = Pattern.compile("`(\\w+Tests)`");

	@Test
	void everyTestThatIsNamedExists() throws IOException {
		Set<String> named = new TreeSet<>();
		Matcher matcher = TEST.matcher(Files.readString(Path.of("..", "docs", "guarantees.md")));
		while (matcher.find()) {
			named.add(matcher.group(1));
		}
		assertThat(named).isNotEmpty();
		assertThat(testClasses()).containsAll(named);
	}

	private static Set<String> testClasses() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith("Tests.java"))
				.map((name) -> name.substring(0, name.length() - ".java".length()))
				.collect(Collectors.toSet());
		}
	}

}
