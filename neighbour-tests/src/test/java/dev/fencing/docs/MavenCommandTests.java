package dev.fencing.docs;

import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the commands that stand in sentences and tables, as those in blocks are.
 */
class MavenCommandTests {

	private final MavenRules rules = new MavenRules();

	@TestFactory
	Stream<DynamicTest> everyCommandCanBeRun() {
		return Project.documents()
			.stream()
			.flatMap((document) -> document.codes()
				.stream()
				.filter((code) -> code.text().startsWith("mvn "))
				.map((code) -> test("%s:%d".formatted(document.name(), code.line()), code.text())));
	}

	private DynamicTest test(String place, String command) {
		return DynamicTest.dynamicTest(place + " " + command, () -> {
			for (CommandLine line : CommandLine.read(command)) {
				this.rules.check(place, line.pipeline().get(0));
			}
		});
	}

}
