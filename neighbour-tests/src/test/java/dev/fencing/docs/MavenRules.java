package dev.fencing.docs;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.stream.Collectors;

import dev.fencing.docs.ShellSnippets.CommandRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of Maven in the root of this project.
 */
final class MavenRules implements CommandRules {

	private static final Set<String> PHASES = Set.of("clean", "validate", "compile", "test-compile", "test", "package",
			"verify", "install");

	private static final Set<String> FLAGS = Set.of("-q", "-B", "-o", "-am", "-e");

	/**
	 * Properties of plugins and of Spring Boot, which no pom of ours names.
	 */
	private static final Set<String> OF_PLUGINS = Set.of("skipTests", "test", "groups", "jvm",
			"surefire.failIfNoSpecifiedTests", "spring-boot.run.profiles", "spring.aot.enabled");

	private final Poms poms = new Poms();

	@Override
	public void check(String place, CommandLine command) {
		assertThat(command.pipeline()).as(place).hasSize(1);
		check(place, command.pipeline().get(0));
		if (!place.startsWith("CONTRIBUTING")) {
			assertThat(Project.read("CONTRIBUTING.md") + Project.read(".ci/run"))
				.as("%s: CONTRIBUTING.md and .ci/run have the same command", place)
				.contains(command.text());
		}
	}

	void check(String place, Iterable<String> words) {
		Deque<String> arguments = new ArrayDeque<>();
		words.forEach(arguments::add);
		arguments.pop();
		while (!arguments.isEmpty()) {
			String argument = arguments.pop();
			if (argument.equals("-pl")) {
				assertThat(this.poms.modules()).as("%s: the module", place).contains(arguments.pop().split(","));
			}
			else if (argument.startsWith("-P")) {
				assertThat(this.poms.profiles()).as("%s: the profile", place).contains(argument.substring(2));
			}
			else if (argument.startsWith("-D")) {
				String[] property = argument.substring(2).split("=", 2);
				checkProperty(place, property[0], (property.length > 1) ? property[1] : "");
			}
			else if (argument.contains(":")) {
				checkGoal(place, argument.substring(0, argument.indexOf(':')));
			}
			else if (!FLAGS.contains(argument)) {
				assertThat(PHASES).as("%s: the phase or option", place).contains(argument);
			}
		}
	}

	private void checkGoal(String place, String prefix) {
		assertThat(this.poms.artifacts()).as("%s: the plugin with the prefix '%s'", place, prefix)
			.anyMatch((artifact) -> artifact.endsWith(":%s-maven-plugin".formatted(prefix))
					|| artifact.endsWith(":maven-%s-plugin".formatted(prefix)));
	}

	private void checkProperty(String place, String name, String value) {
		if (!OF_PLUGINS.contains(name) && !this.poms.properties().contains(name)) {
			assertThat(Project.sources(".java")).as("%s: a source that reads the property '%s'", place, name)
				.anyMatch((source) -> Project.read(source).contains("\"" + name + "\""));
		}
		if (name.equals("test")) {
			Set<String> sources = Project.sources("s.java")
				.stream()
				.map(Path::getFileName)
				.map(Path::toString)
				.collect(Collectors.toSet());
			for (String test : value.split(",")) {
				assertThat(sources).as("%s: the test %s", place, test)
					.anyMatch((source) -> source.matches(test.replace("*", ".*") + "\\.java"));
			}
		}
		if (name.equals("spring-boot.run.profiles")) {
			assertThat(Project.read("sample-app/src/main/resources/application.yml")).as("%s: the profile", place)
				.contains("on-profile: \"!" + value + "\"");
		}
	}

}
