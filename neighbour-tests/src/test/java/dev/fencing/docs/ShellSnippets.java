package dev.fencing.docs;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in a shell names modules, profiles, properties, addresses, fields and keys that
 * there are; what goes to Redis is sent to one.
 */
final class ShellSnippets implements SnippetChecker {

	private final Map<String, CommandRules> rules = Map.of("mvn", new MavenRules(), "curl", new CurlRules(),
			"redis-cli", new RedisRules());

	@Override
	public void check(Snippet snippet) throws Exception {
		List<CommandLine> commands = CommandLine.read(snippet.text());
		assertThat(commands).as(snippet.place()).isNotEmpty();
		for (CommandLine command : commands) {
			String place = snippet.place(command.line());
			String program = command.pipeline().get(0).get(0);
			CommandRules rules = this.rules.get(program);
			assertThat(rules).as("%s: what checks '%s' among %s", place, program, this.rules.keySet()).isNotNull();
			rules.check(place, command);
		}
	}

	/**
	 * Knows a program.
	 */
	@FunctionalInterface
	interface CommandRules {

		void check(String place, CommandLine command) throws Exception;

	}

}
